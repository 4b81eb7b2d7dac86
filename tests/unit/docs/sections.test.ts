import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { projectFiles } from '../../../scripts/reports/project-files.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** A citation such as `docs/deploy.md`, « Memory »: a page and one of its sections. */
const CITED = /([\w./-]+\.md)[`)\]]*, « ?([^»]+?) ?»/g;
/** A heading, or the bold words at the start of a paragraph. */
const SECTION = /^(?:#+ (.+)|(?:- )?\*\*([^*]+?)\.?\*\*)/gm;

test('every section that a document, a comment or a sentence names is one of the page that it names', async () => {
  const files = await projectFiles();
  const cited = files
    .filter((file) => /\.(?:md|tsx?|mjs|ya?ml)$|^Dockerfile$/.test(file) && !file.includes('/fixtures/'))
    .flatMap((file) => {
      const text = read(file).replaceAll('\\u00a0', ' ').replaceAll('\u00a0', ' ');
      return [...text.matchAll(CITED)].map(([, page = '', section = '']) => ({ file, page, section }));
    });
  expect(cited.length).toBeGreaterThan(12);
  const lost = cited.filter(({ file, page, section }) => {
    const beside = path.posix.join(path.posix.dirname(file), page);
    const named = [page, beside].find((one) => files.includes(one));
    const sections = named
      ? [...read(named).matchAll(SECTION)].map(([, head, lead]) => head ?? lead ?? '')
      : [];
    return !sections.some((one) => one.replaceAll('`', '').startsWith(section));
  });
  expect(lost).toEqual([]);
});
