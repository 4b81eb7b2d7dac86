import { globSync, readFileSync } from 'node:fs';
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

it('the README names every npm command, but those that npm itself runs before another', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('README.md').matchAll(/`(?:npm (?:run )?)?([a-z:-]+)[` ]|^npm ([a-z]+)/gm)].map(
    ([, inCode, inBlock]) => inCode ?? inBlock,
  );
  const own = Object.keys(scripts).filter((name) => !/^(?:pre|post)/.test(name));
  expect(own.length).toBeGreaterThan(35);
  expect(own.filter((name) => !named.includes(name))).toEqual([]);
});

it('its map names every folder of lib, lib/http and tests, and every page and folder of docs', () => {
  const [, map = ''] = /^## Map of the tree\n+```\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? [];
  const inside = (folder: string) =>
    globSync(`${folder}/*`, { cwd: repositoryRoot }).map((place) => path.basename(place));
  const words = new Set(map.split(/[\s,:;()]+/));
  const missing = [
    ...inside('lib').filter((name) => !words.has(`lib/${name}/`)),
    ...inside('lib/http').filter((name) => !words.has(`${name}/`)),
    ...inside('tests').filter((name) => !words.has(name)),
    ...inside('docs').filter((name) => name !== 'images' && !words.has(name) && !words.has(`${name}/`)),
  ];
  expect(missing).toEqual([]);
});
