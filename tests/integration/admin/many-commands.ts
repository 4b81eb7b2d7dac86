const program = new URL('../../../scripts/admin.ts', import.meta.url).href;
const streams = { out: process.stdout, err: process.stderr };

/** What a command wrote, and the exit code that its process would end with. */
export type Said = { code: number; out: string; err: string };

/** Runs one command as a process of its own would: the program is evaluated anew, what it loads once is not. */
async function run(args: readonly string[], turn: number): Promise<Said> {
  const said: Said = { code: 0, out: '', err: '' };
  const write = (to: 'out' | 'err') =>
    ((piece: string | Uint8Array) => {
      said[to] += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
      return true;
    }) as typeof process.stdout.write;
  for (const to of ['out', 'err'] as const) streams[to].write = write(to);
  process.argv = [process.execPath, 'scripts/admin.ts', ...args];
  process.exitCode = 0;
  await import(`${program}?turn=${turn}`);
  said.code = Number(process.exitCode);
  process.exitCode = 0;
  return said;
}

process.on('disconnect', () => process.exit());

let turns = 0;
let last: Promise<unknown> = Promise.resolve();

// One after the other, whatever is asked meanwhile: the streams and the exit code are the process’s.
process.on('message', (args: string[]) => {
  turns += 1;
  const turn = turns;
  last = last.then(async () => process.send?.(await run(args, turn)));
});
