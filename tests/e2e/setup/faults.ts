import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What moves for longer is not waited for, in milliseconds: a transition of the cockpit takes a fifth of a second. */
const SETTLED_MS = 2_000;

/** A page without a title for so many milliseconds has none. That of a page that was just read again may come after its rest. */
const UNTITLED_MS = 30_000;

/**
 * The accessibility violations that axe finds on a page, as `rule: html`; by default the serious and critical ones. What comes in or goes out is
 * half transparent, which axe would report: its end is awaited first. Also used by `npm run screenshots -- --axe`.
 */
export async function faults(
  page: Page,
  { impacts = ['serious', 'critical'] }: { impacts?: string[] | 'all' } = {},
): Promise<string[]> {
  // Half a megabyte to send and to compile: injected once per document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  // In one call: between two, a toast whose time is over could begin to go out.
  return page.evaluate(
    async ({ settledMs, untitledMs, wanted }) => {
      const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      // What was just added to the page begins to move in the frame after its first.
      await frame();
      await frame();
      // Chosen by how long they last, not left after a time: a page that was held meanwhile has not moved.
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === 'running' && Number(effect?.getComputedTiming().endTime) <= settledMs,
        );
      await Promise.allSettled(moving.map(({ finished }) => finished));
      // What went out is taken away then.
      if (moving.length > 0) await frame();
      const untitledSince = performance.now();
      while (document.title === '' && performance.now() - untitledSince < untitledMs) await frame();

      type Found = { id: string; impact: string | null; nodes: { element?: Element }[] };
      type Options = { resultTypes: string[]; selectors: boolean; elementRef: boolean };
      const { axe } = globalThis as unknown as {
        axe: {
          configure(spec: { noHtml: boolean }): void;
          run(context: { exclude: string[][] }, options: Options): Promise<{ violations: Found[] }>;
        };
      };
      // The HTML is read from the few elements that fail: axe would serialise every element that it checks.
      axe.configure({ noHtml: true });
      const { violations } = await axe.run(
        { exclude: [['[data-base-ui-focus-guard]']] },
        { resultTypes: ['violations'], selectors: false, elementRef: true },
      );
      const html = ({ element }: Found['nodes'][number]) => element?.outerHTML.slice(0, 160) ?? 'in a frame';
      return violations
        .filter(({ impact }) => wanted === 'all' || wanted.includes(impact ?? ''))
        .map(({ id, nodes }) => `${id}: ${nodes.map(html).join(' | ')}`);
    },
    { settledMs: SETTLED_MS, untitledMs: UNTITLED_MS, wanted: impacts },
  );
}
