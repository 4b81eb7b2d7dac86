import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds serious or worse on a page. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    type Found = { id: string; impact: string | null; nodes: { html: string }[] };
    const { axe } = globalThis as unknown as {
      axe: { run(context: { exclude: string[][] }): Promise<{ violations: Found[] }> };
    };
    const { violations } = await axe.run({ exclude: [['[data-base-ui-focus-guard]']] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
}
