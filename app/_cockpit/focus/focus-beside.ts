/** In milliseconds: a dialog or a menu that closes returns the focus to its button, which may be gone by then, so the focus is checked again. */
const CLOSED_MS = 400;
/** In a group with a single tab stop, the button that Tab reaches. */
const BUTTON = 'button:not([tabindex="-1"])';

/**
 * Moves the focus when an element disappears that has it, or that opened the dialog or menu that has it: to a button beside it, in its row, in a
 * neighbouring row, in the surrounding `data-focus-home`, else to the page. If a link disappears, links are searched instead.
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

/** The `ref` of a button or a link that may disappear with what it acts on, alone or with its row. */
export const focusBeside = (button: HTMLElement | null) => () => {
  if (button) leaveFocus(button);
};
