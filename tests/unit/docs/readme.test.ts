import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** What a translation must keep: the shape of the page, its commands without comments, its code words and links. */
function shape(text: string) {
  return {
    headings: [...text.matchAll(/^#+ /gm)].map(([mark]) => mark),
    tableRows: text.split('\n').filter((line) => line.startsWith('|')).length,
    commands: [...text.matchAll(/^(npm|curl|export) [^#\n]*/gm)].map(([line]) => line.trim()),
    links: [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to).filter((to) => !to?.startsWith('README')),
    words: [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, word]) => word),
  };
}

it('README.fr.md is README.md in French: same parts, commands, links and names', () => {
  expect(shape(read('README.fr.md'))).toEqual(shape(read('README.md')));
});

it('every npm command that the README names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('README.md').matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name as string);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
