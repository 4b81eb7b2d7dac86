import { readFile } from 'node:fs/promises';
import type { Table } from './report.ts';

/** What one run of the bench left in results.json. */
export type Results = { machine: string; tables: Table[]; commit?: string; day?: string };

/** The columns that say what a row is about; the others are what was measured. */
const KEYS: Record<string, readonly string[]> = {
  routes: ['endpoint'],
  instances: ['endpoint', 'instances'],
  search: ['Memories'],
  quality: ['engine'],
  context: ['Memories', 'maxChars'],
  writes: ['writers'],
  'long-text': ['text'],
  'studio-journal': ['rows', 'filter'],
  'studio-submit': ['kind', 'together'],
  'studio-sweep': ['job', 'due rows'],
  retention: ['pass'],
};
const NOTHING = '–';

/** The results of a file that a run left, or an error that says which file is not one. */
export async function readResults(file: string): Promise<Results> {
  const results = JSON.parse(await readFile(file, 'utf8')) as Results;
  if (!Array.isArray(results.tables)) throw new Error(`${file} is not what npm run bench writes.`);
  return results;
}

/**
 * Two runs side by side: each table of the later one, every figure as « before → after », a dash where a run has none. Rows are put
 * beside each other by what they are about; those that only the former run has come last.
 */
export function compareTables(before: Results, after: Results): Table[] {
  const names = [...new Set([...after.tables, ...before.tables].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [former, latter] = [before, after].map(({ tables }) => tables.find((table) => table.name === name));
    const told = latter ?? former;
    return told ? [sideBySide(told, former?.rows ?? [], latter?.rows ?? [])] : [];
  });
}

/** Which trees and machines were compared, a line each, and whose targets stand below a title. */
export function compareHead(before: Results, after: Results): string {
  return [['Before', before] as const, ['After', after] as const]
    .map(([when, { machine, commit, day }]) => `- ${[when, commit, day, machine].filter(Boolean).join(', ')}`)
    .join('\n');
}

type Row = Table['rows'][number];

function sideBySide(table: Table, before: Row[], after: Row[]): Table {
  const keys = KEYS[table.name] ?? Object.keys(table.rows[0] ?? {}).slice(0, 1);
  const idOf = (row: Row) => JSON.stringify(keys.map((key) => row[key]));
  const byId = (rows: Row[]) => new Map(rows.map((row) => [idOf(row), row]));
  const [former, latter] = [byId(before), byId(after)];
  const columns = [...new Set([...after, ...before].flatMap((row) => Object.keys(row)))];
  const rows = [...new Map([...latter, ...former])].map(([id, either]) =>
    Object.fromEntries(
      columns.map((column) => [
        column,
        keys.includes(column)
          ? (either[column] ?? NOTHING)
          : `${former.get(id)?.[column] ?? NOTHING} → ${latter.get(id)?.[column] ?? NOTHING}`,
      ]),
    ),
  );
  return { ...table, rows };
}
