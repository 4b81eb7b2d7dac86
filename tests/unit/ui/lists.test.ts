import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(encodeURI(file), ROOT), 'utf8');
const sourcesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT }).map((file) => {
    const name = file.split(path.sep).join('/');
    return { name, text: read(name) };
  });

/** An opening tag, whose attributes may hold functions. */
const tags = (names: string) => new RegExp(`<(?:${names})\\b(?:=>|[^>])*>`, 'g');
const BOXED = /(?<![-\w])(?:inline-)?(?:flex|grid|contents)(?![-\w])/;

/** Where the list of an item stands that is a component of its own. */
const ELSEWHERE: Record<string, string> = {
  'app/(cockpit)/voix/voice-row.tsx': 'app/(cockpit)/voix/page.tsx',
};

/** In a navigation Safari keeps each list. */
const IN_NAVIGATION = new Set(['app/_ui/shell/crumbs.tsx']);

/** The last list that opens before this place. */
const listBefore = (text: string, at: number) => [...text.slice(0, at).matchAll(tags('ul|ol'))].at(-1)?.[0];

test('a list without markers stays a list to Safari, which tells of none whose style is « none »', () => {
  expect(read('app/globals.css')).toMatch(/@layer base \{[\s\S]*?\bol,\s+ul \{\s+list-style-type: "";/);
  const none = sourcesOf('app/**/*.tsx').flatMap(({ name, text }) =>
    [...text.matchAll(tags('ul|ol'))].flatMap(({ 0: tag }) =>
      /\blist-none\b/.test(tag) && !tag.includes('role="list"') ? [`${name}: ${tag}`] : [],
    ),
  );
  expect(none).toEqual([]);
});

test('a list whose items are laid out as boxes, which have no marker, says its role', () => {
  const boxed = sourcesOf('app/**/*.tsx').flatMap(({ name, text }) =>
    [...text.matchAll(tags('li'))].flatMap(({ 0: item, index }) => {
      if (!BOXED.test(item) || IN_NAVIGATION.has(name)) return [];
      const other = ELSEWHERE[name];
      const list = other ? listBefore(read(other), Number.POSITIVE_INFINITY) : listBefore(text, index);
      return [{ at: `${name}: ${item}`, isTold: list?.includes('role="list"') ?? false }];
    }),
  );
  expect(boxed.length).toBeGreaterThan(10);
  expect(boxed.filter(({ isTold }) => !isTold).map(({ at }) => at)).toEqual([]);
});

test('so does one whose items a style sheet lays out as boxes', () => {
  const names = sourcesOf('app/**/*.css').flatMap(({ text }) =>
    [...text.matchAll(/\.([\w-]+) > li \{[^{}]*display: (?:flex|grid)/g)].map(([, name]) => name ?? ''),
  );
  expect(names.sort()).toEqual(['bars', 'timeline']);
  const lists = sourcesOf('app/**/*.tsx').flatMap(({ text }) =>
    [...text.matchAll(tags('ul|ol'))].map(({ 0: tag }) => tag),
  );
  for (const name of names) {
    const found = lists.filter((tag) => new RegExp(`className="${name}\\b`).test(tag));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((tag) => !tag.includes('role="list"'))).toEqual([]);
  }
});
