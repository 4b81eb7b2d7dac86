import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { badgeFile, badges, drawBadge } from '../../../scripts/reports/badges.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

test('the badges of the README say what the repository holds, as `npm run badges` draws it', async () => {
  const all = await badges();
  expect(all.map(({ value }) => value).every((value) => /\w/.test(value))).toBe(true);
  for (const badge of all) expect(read(badgeFile(badge)), badge.name).toBe(drawBadge(badge));
});

test('both READMEs show each of them, in words too, and no badge that an outside service draws', async () => {
  for (const page of ['README.md', 'README.fr.md']) {
    const text = read(page);
    for (const badge of await badges()) {
      const [, words] = new RegExp(`!\\[([^\\]]+)\\]\\(${badgeFile(badge)}\\)`).exec(text) ?? [];
      expect(words, `${page}: ${badge.name}`).toContain(badge.name === 'licence' ? '' : badge.value);
    }
    expect(text).not.toMatch(/!\[[^\]]*\]\(https?:/);
  }
});
