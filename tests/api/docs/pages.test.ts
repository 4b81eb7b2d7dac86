import { expect, test } from 'vitest';
import { DOC_PAGES, findPage } from '#app/_docs/pages.ts';
import { htmlOf } from '#app/_docs/render/html.ts';
import { llmsFull, llmsIndex, markdownOf, sitemapOf } from '#app/_docs/render/markdown.ts';
import { pathOf } from '#app/_docs/writing/slugs.ts';
import { ERROR_CATALOG } from '#lib/core/errors.ts';
import { FAILURE_SENTENCES } from '#lib/messages/studio.ts';
import { WEBHOOK_EVENTS } from '#lib/webhooks/events.ts';
import { DOCUMENTS, operationIdsOf } from './documents.ts';

const ORIGIN = 'https://atelier.example';
const idsOf = (slug: string) =>
  findPage(slug)
    ?.sections(ORIGIN)
    .map(({ id }) => id) ?? [];
const linksOf = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href as string);

test('every link of the documentation leads to a page and a heading that exist, or into the application', () => {
  const broken: string[] = [];
  for (const page of DOC_PAGES)
    for (const href of linksOf(markdownOf(page, ORIGIN))) {
      const [path = '', anchor] = href.split('#');
      const slug = path === '' ? page.slug : path.replace(/^\/docs\/?/, '');
      const isPage = path === '' || path.startsWith('/docs');
      if (isPage ? !findPage(slug) || (anchor && !idsOf(slug).includes(anchor)) : !/^(\/|https:)/.test(path))
        broken.push(`${pathOf(page)}: ${href}`);
    }
  expect(broken).toEqual([]);
});

test('no heading of a page is named twice, so that a link to it leads to one place', () => {
  for (const { slug } of DOC_PAGES) expect(new Set(idsOf(slug)).size, slug).toBe(idsOf(slug).length);
});

test('every operation, every tool, every code, every event has its own place, and every code says what to do', () => {
  const places = [...idsOf('api'), ...idsOf('studio')];
  expect(DOCUMENTS.flatMap(operationIdsOf).filter((id) => !places.includes(id))).toEqual([]);
  const codes = [...Object.keys(ERROR_CATALOG), ...Object.keys(FAILURE_SENTENCES)];
  const told = new Map(
    findPage('erreurs')
      ?.sections(ORIGIN)
      .map(({ id, text }) => [id, text] as const),
  );
  expect(codes.filter((code) => !/\*\*Que faire\.\*\* \S+\s+\S+/.test(told.get(code) ?? ''))).toEqual([]);
  expect(Object.keys(WEBHOOK_EVENTS).filter((type) => !idsOf('evenements').includes(type))).toEqual([]);
});

test('what people read and its Markdown are the same words, whose HTML holds no markup but its own', () => {
  for (const page of DOC_PAGES) {
    const markdown = markdownOf(page, ORIGIN);
    for (const { id, title, text } of page.sections(ORIGIN)) {
      expect(markdown, id).toContain(text);
      expect(markdown, id).toContain(`# ${title}`);
      expect(htmlOf(text, id), id).not.toMatch(/<script|\son\w+=|javascript:/i);
    }
  }
  expect(htmlOf('<img src=x onerror=alert(1)> `<b>`\n\n```ts a\n"<i>" // <u>\n```', 'x')).not.toMatch(
    /<(img|b|i|u)>/,
  );
});

test('the session of the examples has the name under which this address keeps it', () => {
  const words = (origin: string) => findPage('studio')?.introduction(origin);
  expect(words(ORIGIN)).toContain('ATELIER_SESSION="__Host-atelier=…"');
  expect(words('http://localhost:3000')).toContain('ATELIER_SESSION="atelier=…"');
});

test('the index for assistants and the site’s plan name every page', () => {
  for (const page of DOC_PAGES.filter(({ slug }) => slug !== '')) {
    expect(llmsIndex()).toContain(`(${pathOf(page)}.md)`);
    expect(sitemapOf(ORIGIN)).toContain(`<loc>${ORIGIN}${pathOf(page)}</loc>`);
    expect(llmsFull(ORIGIN)).toContain(`\n# ${page.title}\n`);
  }
});
