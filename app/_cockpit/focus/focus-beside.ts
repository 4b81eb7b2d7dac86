/** A question or a menu that closes gives the focus back to a button that is gone by then: it is looked at once more. */
const CLOSED_MS = 400;
/** A group of which one button is reached by Tab gives that one. */
const BUTTON = 'button:not([tabindex="-1"])';

/**
 * For what leaves the page now, with the focus or under the question or the menu that it opened: the focus goes to a button beside it that stays, to
 * one of its row, of the row beside or in its place, of what is marked `data-focus-home` around it, or to the page when there is none.
 * Beside a link that leaves, links are looked for.
 */
export function leaveFocus(leaving: Element): void {
  const isUnderAnother = document.querySelector('[data-panel], [role=menu]') !== null;
  const wasIn = leaving.contains(document.activeElement) || isUnderAnother;
  if (!wasIn) return;
  const path = window.location.pathname;
  const page = leaving.closest('main');
  const row = leaving.closest('tr, li');
  const list = row?.parentElement;
  const home = leaving.closest('[data-focus-home]');
  const wanted = leaving.matches('button, :has(button)') ? BUTTON : 'a[href]';
  const near = row === leaving ? null : leaving.parentElement;
  const at = row && list ? [...list.children].indexOf(row) : 0;
  const focus = () => {
    if (document.activeElement !== document.body || window.location.pathname !== path) return;
    const rows = list?.isConnected ? [at, at + 1, at - 1].map((place) => list.children[place]) : [];
    const places = [near?.isConnected ? near : null, ...rows, home?.isConnected ? home : null];
    const place = places.map((one) => one?.querySelector<HTMLElement>(wanted)).find((one) => one);
    (place ?? page)?.focus();
  };
  requestAnimationFrame(focus);
  setTimeout(focus, CLOSED_MS);
}

/** The `ref` of a button or a link that may go with what it acts on, alone or with its row. */
export const focusBeside = (button: HTMLElement | null) => () => {
  if (button) leaveFocus(button);
};
