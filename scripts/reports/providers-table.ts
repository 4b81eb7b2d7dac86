import { readFile, writeFile } from 'node:fs/promises';
import { modelsTable } from '#lib/providers/models/markdown.ts';
import { refusalsTable } from '#lib/providers/wiring/refusals.ts';

/** Writes the models table and that of refusals into docs/providers.md. */
const file = 'docs/providers.md';
const text = await readFile(file, 'utf8');
const between = (whole: string, name: string, table: string) =>
  whole.replace(
    new RegExp(`(<!-- ${name} -->)[\\s\\S]*(<!-- /${name} -->)`),
    (_, open: string, close: string) => `${open}\n${table}\n${close}`,
  );
const written = between(between(text, 'models', modelsTable()), 'refusals', refusalsTable());
await writeFile(file, written);
