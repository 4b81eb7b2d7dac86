/** A share, as the page writes it. */
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A table of the page: its first column is words, the others figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
