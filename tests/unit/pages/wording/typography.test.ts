import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plainSpaces, plainSpacesOfProse } from './french-text.ts';

const ROOT = new URL('../../../../', import.meta.url);
/** Not French for readers: what is sent to a model stays exactly as it was judged; price sources and two commands are English. */
const APART = [
  'lib/studio/prompt/stack-prompt.ts',
  'lib/studio/prompt/skills.ts',
  'lib/studio/kinds/vector.ts',
  'lib/providers/models/image.ts',
  'scripts/deploy-button.ts',
];
/** Sources with French texts. The checks and reports for developers are English, except the one that an operator reads. */
const SOURCES = [
  '{app,lib}/**/*.{ts,tsx}',
  'scripts/*.ts',
  'scripts/admin/**/*.ts',
  'scripts/checks/providers.ts',
];
/** French outside sources: the demonstration's Memories, and the documents in French. */
const PROSE = ['lib/local/demo/**/*.md', 'README.fr.md', 'docs/vocabulaire.md'];

const around = (text: string, { start, end }: { start: number; end: number }) =>
  `…${text.slice(Math.max(0, start - 30), end + 20)}…`;

test('no French text of the app can break before : ; ! ? » nor after «', () => {
  const files = globSync(SOURCES, { cwd: ROOT }).filter(
    (file) => !file.startsWith('lib/db/generated/') && !APART.includes(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const told = files.flatMap((file) => {
    const source = readFileSync(new URL(file, ROOT), 'utf8');
    return plainSpaces(source, file).map((space) => `${file}: ${around(source, space)}`);
  });
  expect(told).toEqual([]);
});

test('no French of the demonstration nor of the documents can break there either', () => {
  const files = globSync(PROSE, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(45);
  const told = files.flatMap((file) => {
    const text = readFileSync(new URL(file, ROOT), 'utf8');
    return plainSpacesOfProse(text).map((space) => `${file}: ${around(text, space)}`);
  });
  expect(told).toEqual([]);
});

test('an ordinary space is found in prose, and in no code, address or picture of it', () => {
  const found = (text: string) => plainSpacesOfProse(text).map((space) => around(text, space));
  expect(found('Pour quoi ? « Rien »\n; fin')).toHaveLength(4);
  const none = [
    'Un `a ? b : c` et ![une image](x.png) ![une autre](y.png).',
    '```\nnpm test   # tout ; rien\n```',
    '| a | b |\n| --- | :--- |',
    'À 10:30, voir [ici](https://a.example/?b : c).',
    'Pour quoi\u00a0? «\u00a0Rien\u00a0»',
  ];
  expect(none.flatMap(found)).toEqual([]);
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
