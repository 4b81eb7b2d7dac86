/** Rows of text as a Markdown table, the first as its head; one cell alone is its text. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (width === 1 && rows.length === 1) return rows[0]?.[0] ?? '';
  const lines = rows.map((cells) => {
    const filled = [...cells, ...Array<string>(width - cells.length).fill('')];
    return `| ${filled.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()).join(' | ')} |`;
  });
  const [head = '', ...rest] = lines;
  return [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n');
}
