import type { Page } from 'playwright';
import { watch } from './quiet.ts';

const TEXT_CHARACTERS = 3_000;

/**
 * What a page of a failed test shows: its address, dialogs, messages, focus, text, and the requests that were never answered. A failure that
 * comes once in thirty runs is understood from this alone. A page that is held or gone says so.
 */
export async function describePage(page: Page): Promise<string> {
  const waiting = [...watch(page).open].map((request) => `${request.method()} ${request.url()}`);
  const shown = await Promise.race([
    page.evaluate(() => {
      const tagOf = (one: Element | null) => (one?.cloneNode(false) as Element | undefined)?.outerHTML ?? '';
      const textOf = (one: Element) => (one as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim();
      return {
        address: location.href,
        focus: tagOf(document.activeElement),
        dialogs: [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].map(textOf),
        messages: [...document.querySelectorAll('[role=alert], [role=status]')].map(textOf).filter(Boolean),
        text: document.body.innerText.replaceAll(/\s+/g, ' ').trim(),
      };
    }),
    new Promise<null>((done) => setTimeout(done, 5_000, null)),
  ]).catch((error: unknown) => `it could not be read: ${String(error)}`);
  if (shown === null) return `${page.url()} does not answer: its thread is held`;
  if (typeof shown === 'string') return `${page.url()}: ${shown}`;
  return [
    `address   ${shown.address}`,
    `focus     ${shown.focus}`,
    ...shown.dialogs.map((text) => `dialog    ${text}`),
    ...shown.messages.map((text) => `message   ${text}`),
    ...waiting.map((request) => `waits for ${request}`),
    `text      ${shown.text.slice(0, TEXT_CHARACTERS)}`,
  ].join('\n');
}
