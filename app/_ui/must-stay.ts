/** The event that names what waits for the network. */
export const WAITS = 'atelier:waits';

/** Whether going elsewhere must wait for the network; says then what waits. A page that is left without network is lost. */
export function mustStay(what: string): boolean {
  if (navigator.onLine) return false;
  window.dispatchEvent(new CustomEvent(WAITS, { detail: what }));
  return true;
}
