import { readFile, writeFile } from 'node:fs/promises';
import { modelsTable } from '#lib/providers/models/markdown.ts';

/** Writes the models table into docs/providers.md. */
const file = 'docs/providers.md';
const text = await readFile(file, 'utf8');
const written = text.replace(
  /(<!-- models -->)[\s\S]*(<!-- \/models -->)/,
  (_, open: string, close: string) => `${open}\n${modelsTable()}\n${close}`,
);
await writeFile(file, written);
