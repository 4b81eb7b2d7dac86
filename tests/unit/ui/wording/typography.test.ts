import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plainSpaces } from './french-text.ts';

const ROOT = new URL('../../../../', import.meta.url);
/** Not French that people read: what is sent to a model stays to the letter what was judged, and the sources of prices are English. */
const APART = [
  'lib/studio/prompt/stack-prompt.ts',
  'lib/studio/prompt/skills.ts',
  'lib/studio/kinds/vector.ts',
  'lib/providers/models/image.ts',
];

test('no French text of the app can break before : ; ! ? » nor after «', () => {
  const files = globSync('{app,lib}/**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !file.startsWith('lib/db/generated/') && !APART.includes(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const told = files.flatMap((file) => {
    const source = readFileSync(new URL(file, ROOT), 'utf8');
    return plainSpaces(source, file).map(
      ({ start, end }) => `${file}: …${source.slice(Math.max(0, start - 30), end + 20)}…`,
    );
  });
  expect(told).toEqual([]);
});

test('an ordinary space is found wherever words stand, and nowhere else', () => {
  const found = (source: string) => plainSpaces(source, 'a.tsx').map(({ kind }) => kind);
  expect(found("const a = yes ? 'Oui : non' : 'Non\\u00a0: oui'; // ici : rien")).toEqual(['string']);
  // In two pieces, so that it does not look like a template of this file.
  expect(found('const b = `$' + '{name} : « $' + '{other} »`;')).toEqual([
    'template',
    'template',
    'template',
  ]);
  expect(found('const c = <p title="Où ?">{name} : <b>oui !</b> à 10:30</p>;')).toEqual([
    'jsx',
    'jsx',
    'jsx',
  ]);
  expect(found("run('select a from b where c = ?');")).toEqual([]);
});

test('no attribute of a page holds an escape, which JSX shows as it is written', () => {
  const escaped = /\s[\w-]+="[^"\n]*\\u[0-9a-f]{4}/gi;
  const told = globSync('app/**/*.tsx', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(escaped)].map(([found]) => `${file}:${found}`),
  );
  expect(told).toEqual([]);
  expect('<p aria-label="Masque\\u00a0: il attend" />').toMatch(escaped);
});
