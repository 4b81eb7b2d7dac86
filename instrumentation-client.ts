import { beforeRouter } from '#app/_cockpit/address/before-router.ts';
import { countEntries } from '#app/_cockpit/address/history-entry.ts';
import { leaving } from '#app/_ui/shell/arriving/leaving.ts';
import { isLeft, markRequests } from '#app/_ui/shell/drawn-for/mark-requests.ts';
import { paintFirst } from '#app/_ui/shell/paint-first.ts';

paintFirst();
markRequests();
countEntries();

// Before the router's own: at the window, listeners are called in the order in which they came, capturing or not.
window.addEventListener('popstate', (event) => beforeRouter.onPop?.(event));

/**
 * Called by Next as it sets out for an address (a link, « back »), never as it reads the page at hand again. A link to the very address at
 * hand leads nowhere: Next makes no entry for it, but makes the one that it owes with a later reading.
 */
export function onRouterTransitionStart(url: string, type: 'push' | 'replace' | 'traverse'): void {
  const { href, origin, pathname } = new URL(url, window.location.href);
  // « Back » is told once the address is there.
  beforeRouter.isLed = type === 'traverse' || href !== window.location.href;
  if (origin === window.location.origin) leaving.tell?.(pathname);
  leaving.to = href;
  if (!isLeft() && href !== leaving.calledOff) return;
  // What the router is about to draw belongs to another account than the frame around it; or it would draw nothing.
  if (type === 'traverse') window.location.reload();
  else window.location.assign(href);
}
