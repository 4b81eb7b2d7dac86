import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

/** An opening tag, whose attributes may contain functions. */
const LISTS = /<(?:ul|ol)\b(?:=>|[^>])*>/g;

// An empty marker (`list-style-type: ""`) would do too, but WebKit shows it as a separate line above each item.
test('each list says its role: Safari tells of no list whose items have no marker', () => {
  const tags = globSync('app/**/*.tsx', { cwd: ROOT }).flatMap((file) => {
    const name = file.split(path.sep).join('/');
    const text = readFileSync(new URL(encodeURI(name), ROOT), 'utf8');
    return [...text.matchAll(LISTS)].map(([tag]) => ({ at: `${name}: ${tag}`, tag }));
  });
  expect(tags.length).toBeGreaterThan(50);
  expect(tags.filter(({ tag }) => !tag.includes('role=')).map(({ at }) => at)).toEqual([]);
});
