import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { composed, useStudio } from '../../setup/scenes/use-studio.ts';

const { visit, founder } = useStudio();

/**
 * Scrolls the last control before the composer's foot under the foot, and focuses it. Returns whether the foot covered it, whether it has the
 * focus, and how far it then reaches into the foot, in pixels.
 */
const focusUnderFoot = (page: Page) =>
  page.evaluate(() => {
    const foot = document.querySelector<HTMLElement>('.send-bar');
    const controls = document.querySelectorAll<HTMLElement>(
      'form[data-composer] :is(button, select, summary, input:not([type=file])):not(:disabled)',
    );
    const shown = [...controls].filter((one) => one.checkVisibility() && one.offsetHeight <= 60);
    const last = shown.filter((one) => !foot?.contains(one)).at(-1);
    if (!foot || !last) throw new Error('The composer has no foot, or no control.');
    const top = last.getBoundingClientRect().top + window.scrollY;
    window.scrollTo(0, top - (window.innerHeight - 90));
    const isUnder = last.getBoundingClientRect().bottom > foot.getBoundingClientRect().top;
    last.focus();
    const reaches = last.getBoundingClientRect().bottom - foot.getBoundingClientRect().top;
    return { isUnder, isFocused: document.activeElement === last, reaches };
  });

describe('what stays in sight', () => {
  it('never hides what takes the focus under the foot of the composer, on a phone', async () => {
    const page = await visit(await founder(), '/creer?type=image', { viewport: { width: 390, height: 560 } });
    await composed(page).waitFor();
    const { isUnder, isFocused, reaches } = await focusUnderFoot(page);
    expect([isUnder, isFocused]).toEqual([true, true]);
    expect(reaches).toBeLessThanOrEqual(1);
  });

  it('leaves the page its room at 400 % of zoom: the header and the foot go with it', async () => {
    const page = await visit(await founder(), '/creer?type=image', { viewport: { width: 320, height: 256 } });
    await composed(page).waitFor();
    await page.evaluate(() => window.scrollTo(0, 150));
    const sides = await page.evaluate(() => ({
      header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
      foot: document.querySelector('.send-bar')?.getBoundingClientRect().top ?? 0,
      height: window.innerHeight,
    }));
    expect(sides.header).toBeLessThan(0);
    expect(sides.foot).toBeGreaterThan(sides.height);
  });
});
