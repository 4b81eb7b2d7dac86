const WIDTH = 30;

/** A progress bar on standard error, drawn only for a person at a terminal. */
export function progressBar(
  label: string,
  quiet: boolean,
): { at(done: number, total: number): void; end(): void } {
  const shown = !quiet && process.stderr.isTTY === true;
  let drawn = -1;
  return {
    at(done, total) {
      const percent = Math.floor((100 * done) / Math.max(1, total));
      if (!shown || percent === drawn) return;
      drawn = percent;
      const full = Math.round((WIDTH * percent) / 100);
      process.stderr.write(`\r${label} [${'█'.repeat(full)}${'·'.repeat(WIDTH - full)}] ${done}/${total}`);
    },
    end() {
      if (shown && drawn >= 0) process.stderr.write('\n');
    },
  };
}
