import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page, minor findings too, as `rule (impact): html`. The one oracle of the suite and of `npm run screenshots -- --axe`. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    type Found = { id: string; impact: string | null; nodes: { html: string }[] };
    const { axe } = globalThis as unknown as {
      axe: { run(context: { exclude: string[][] }): Promise<{ violations: Found[] }> };
    };
    const { violations } = await axe.run({ exclude: [['[data-base-ui-focus-guard]']] });
    return violations.map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
    );
  });
}

/** The two ways to look at a page that differ most. */
export const LOOKS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

/** What axe finds on the page that is open, and whether it is wider than its screen, in both looks; left in the last one. */
export async function faultsInBothLooks(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (over > 0) found.push(`${colorScheme} ${width}: ${over} px too wide`);
    found.push(...(await faults(page)).map((fault) => `${colorScheme} ${width}: ${fault}`));
  }
  return found;
}
