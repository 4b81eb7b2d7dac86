/** The event whose `detail` names what waits for the network. */
export const WAITS = 'atelier:waits';

/** Whether leaving the page must wait for the network, because a page left without network is lost. If so, dispatches `WAITS` with `what`. */
export function mustStay(what: string): boolean {
  if (navigator.onLine) return false;
  window.dispatchEvent(new CustomEvent(WAITS, { detail: what }));
  return true;
}
