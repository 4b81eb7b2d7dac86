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

const HOW = `# Benchmarks

Written by \`npm run bench -- --write\`, or \`--compare before.json after.json --write\` from what two trees left in \`.tmp/bench/results.json\`. Everything is measured in one run, side by side with what it is compared with, on data that the bench makes itself;
figures in milliseconds belong to the machine below and its mood, ratios are what to read. Nothing here is asserted by a clock in a test.

What is slow, and why: the whole Space (its hundred bodies leave at each read), a word that one
journal row in a thousand has (every match is fetched before the newest are kept), and many writers on one account (each claims capacity on its one row).
`;

/** The page of all tables, below what was measured on which machine and day. */
export function writePage(head: string, tables: readonly Table[]): string {
  return `${HOW}\n${head}\n${tables.map(writeTable).join('\n')}\n`;
}
