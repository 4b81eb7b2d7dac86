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

Written by \`npm run bench -- --write\`, or by \`npm run bench -- --compare before.json after.json --write\` from the \`.tmp/bench/results.json\` of two runs.

- **Everything is measured in one run**, side by side with what it is compared with, on data that the bench generates itself.
- **Read the ratios.** Milliseconds depend on the machine below and on its load. No test asserts any of these times.

## What is slow, and why

| What | Why |
|---|---|
| The whole Space | Its hundred bodies are sent at each read |
| A word that one journal row in a thousand has | Every match is fetched before the newest are kept |
| Many writers on one account | Each claims capacity on the account's one row |
`;

/** The page of all tables, below what was measured on which machine and day. */
export function writePage(head: string, tables: readonly Table[]): string {
  return `${HOW}\n${head}\n${tables.map(writeTable).join('\n')}\n`;
}
