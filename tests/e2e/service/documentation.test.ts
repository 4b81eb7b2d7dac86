import { describe, expect, inject, it } from 'vitest';
import { DOC_PAGES } from '#app/_docs/pages.ts';
import { markdownOf } from '#app/_docs/render/markdown.ts';
import { pathOf } from '#app/_docs/writing/slugs.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { gotoQuiet } from '../setup/quiet.ts';

const { baseUrl } = inject('app');
const browser = useBrowser();
const read = (path: string, headers: Record<string, string> = {}) => fetch(baseUrl + path, { headers });

describe('each page of the documentation', () => {
  it.for([
    ['light', 1440],
    ['dark', 390],
  ] as const)('passes axe and fits its screen, in %s and %i pixels wide', async ([colorScheme, width]) => {
    const page = await browser.newPage({
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    });
    for (const shown of DOC_PAGES) {
      const path = pathOf(shown);
      await gotoQuiet(page, path);
      await page.getByRole('heading', { level: 1, name: shown.title }).waitFor();
      const what = `${path}, ${width} in ${colorScheme}`;
      expect(await faults(page, { impacts: 'all' }), what).toEqual([]);
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(over, what).toBeLessThanOrEqual(0);
    }
  });

  it('is the same in Markdown, at its address with .md and by Accept, kept by its tag', async () => {
    for (const page of DOC_PAGES) {
      const twin = await read(`${pathOf(page)}.md`);
      const text = await twin.text();
      expect([twin.status, twin.headers.get('content-type')], page.slug).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ]);
      expect(text).toBe(markdownOf(page, new URL(baseUrl).origin));
      expect(twin.headers.get('cache-control')).toContain('public');
      const asked = await read(pathOf(page), { accept: 'text/markdown' });
      expect(await asked.text()).toBe(text);
      expect(asked.headers.get('vary')?.toLowerCase().split(/,\s*/)).toContain('accept');
      const etag = twin.headers.get('etag') ?? '';
      expect((await read(`${pathOf(page)}.md`, { 'if-none-match': etag })).status).toBe(304);
      const drawn = await read(pathOf(page), { accept: 'text/html' });
      expect(drawn.headers.get('content-type')).toContain('text/html');
      // Shared caches may not keep the HTML page; they may keep its Markdown, whose `Vary` header names Accept.
      expect(drawn.headers.get('cache-control')).toContain('no-store');
    }
    for (const accept of ['*/*', 'text/html, text/markdown;q=0']) {
      const drawn = await read('/docs/api', { accept });
      expect(drawn.headers.get('content-type'), accept).toContain('text/html');
    }
    expect((await read('/docs/nulle-part.md')).status).toBe(404);
    expect((await read('/docs/nulle-part')).status).toBe(404);
  });
});

it('a language that is chosen once is chosen everywhere, and the code in view is what is copied', async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (words: string) => Object.assign(window, { copied: words }) },
    });
  });
  await gotoQuiet(page, '/docs/api');
  const [first, second] = [
    page.locator('#listSpaces ~ div .doc-code'),
    page.locator('#getSpace ~ div .doc-code'),
  ];
  expect(await first.getByText('curl "$ATELIER_URL').isVisible()).toBe(true);
  await first.getByRole('radio', { name: 'TypeScript' }).check();
  await second.getByText('atelier.getSpace(spaceId)').waitFor();
  // It says so for two seconds: the page itself looks.
  const copied = page.waitForFunction(() =>
    [...document.querySelectorAll('.doc-code button')].some((one) => one.textContent === 'Copié'),
  );
  await second.getByRole('button', { name: 'Copier' }).click();
  await copied;
  expect(await page.evaluate(() => (window as { copied?: string }).copied)).toContain(
    'atelier.getSpace(spaceId)',
  );
});
