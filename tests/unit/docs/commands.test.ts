import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { projectFiles } from '../../../scripts/reports/project-files.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The command and the arguments given to it, as in `npm run bench -- --only search`. */
const NAMED = /npm run ([a-z][a-z:-]*)(?: -- ([^`|\n]*))?/g;
const documents = (await projectFiles()).filter(
  (file) => file.endsWith('.md') && !file.includes('/fixtures/') && !file.includes('/data/'),
);
const named = documents.flatMap((file) =>
  [...read(file).matchAll(NAMED)].map(([, command = '', given = '']) => ({ file, command, given })),
);

const ADMIN = globSync('scripts/admin/*.ts', { cwd: repositoryRoot }).map(read).join('\n');

/** The source that reads the options of a command. */
function sourceOf(command: string): string {
  const [entry] = /[\w/.-]+\.(?:ts|mjs)$/.exec(scripts[command] ?? '') ?? [];
  return command === 'admin' ? ADMIN : entry ? read(entry) : '';
}

test('every npm command that a document names exists', () => {
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ command }) => !(command in scripts))).toEqual([]);
});

test('every option that a document gives to a command is one that it reads', () => {
  const options = named.flatMap(({ file, command, given }) =>
    [...given.matchAll(/(?:^|\s)--([a-z][a-z-]*)/g)].map(([, option = '']) => ({ file, command, option })),
  );
  expect(options.length).toBeGreaterThan(25);
  const isRead = (source: string, option: string) =>
    source.includes(`--${option}`) || new RegExp(`^\\s*'?${option}'?: \\{`, 'm').test(source);
  const unread = options
    .filter(({ option }) => option !== 'help')
    .filter(({ command, option }) => !isRead(sourceOf(command), option));
  expect(unread).toEqual([]);
});

test('every admin command that a document names is registered', () => {
  const known = new Set([...ADMIN.matchAll(/\.command\(\s*'([a-z-]+)/g)].map(([, name]) => name));
  const typed = named.flatMap(({ file, command, given }) => {
    const [, group, verb] = /^([a-z]+)(?: ([a-z]+))?(?=[\s]|$)/.exec(given) ?? [];
    return command === 'admin' && group ? [{ file, words: [group, ...(verb ? [verb] : [])] }] : [];
  });
  expect(typed.length).toBeGreaterThan(15);
  expect(typed.filter(({ words }) => words.some((word) => !known.has(word)))).toEqual([]);
});
