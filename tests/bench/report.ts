export type Table = {
  name: string;
  title: string;
  targets: string[];
  rows: Record<string, string | number | object>[];
  notes?: string[];
};

/** One bench as a Markdown table, ready for docs/benchmarks.md. */
export function writeTable({ title, targets, rows, notes }: Table): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    '',
    `## ${title}`,
    '',
    ...targets.map((target) => `- target: ${target}`),
    ...(notes ?? []).map((note) => `- ${note}`),
    '',
    line(columns),
    line(columns.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map((row) => line(columns.map((column) => cell(row[column])))),
  ].join('\n');
}

function cell(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
