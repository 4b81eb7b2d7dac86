import { readFile, writeFile } from 'node:fs/promises';
import { modelsTable } from '#lib/providers/models/markdown.ts';
import { marksTable } from '#lib/providers/models/marks.ts';
import { refusalsTable } from '#lib/providers/wiring/refusals.ts';

/** Writes the tables of models, of who documents them and of refusals into docs/providers.md. */
const file = 'docs/providers.md';
const text = await readFile(file, 'utf8');
const between = (whole: string, name: string, table: string) =>
  whole.replace(
    new RegExp(`(<!-- ${name} -->)[\\s\\S]*(<!-- /${name} -->)`),
    (_, open: string, close: string) => `${open}\n${table}\n${close}`,
  );
const tables = { marks: marksTable(), models: modelsTable(), refusals: refusalsTable() };
const written = Object.entries(tables).reduce((whole, [name, table]) => between(whole, name, table), text);
await writeFile(file, written);
