import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, as `rule: html`; by default only what is serious or worse. The oracle of `npm run screenshots -- --axe` too. */
export async function faults(
  page: Page,
  { impacts = ['serious', 'critical'] }: { impacts?: string[] | 'all' } = {},
): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (wanted) => {
    type Found = { id: string; impact: string | null; nodes: { html: string }[] };
    const { axe } = globalThis as unknown as {
      axe: { run(context: { exclude: string[][] }, options: object): Promise<{ violations: Found[] }> };
    };
    // A violation is told by its HTML: axe need not find a selector for every element that passed.
    const { violations } = await axe.run(
      { exclude: [['[data-base-ui-focus-guard]']] },
      { resultTypes: ['violations'], selectors: false },
    );
    return violations
      .filter(({ impact }) => wanted === 'all' || wanted.includes(impact ?? ''))
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }, impacts);
}
