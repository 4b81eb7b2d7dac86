/** A question that closes gives the focus back to a button that is gone by then: it is looked at once more. */
const CLOSED_MS = 400;
/** A group of which one button is reached by Tab gives that one. */
const FOCUSABLE = 'button:not([tabindex="-1"])';

/**
 * For what leaves the page now, with the focus or under the question that it asked: the focus goes to a button beside it that stays, to
 * one of its row, of the row beside or in its place, or to the page when there is none.
 */
export function leaveFocus(leaving: Element): void {
  const wasIn = leaving.contains(document.activeElement) || document.querySelector('[data-panel]') !== null;
  if (!wasIn) return;
  const path = window.location.pathname;
  const page = leaving.closest('main');
  const row = leaving.closest('tr, li');
  const list = row?.parentElement;
  const near = row === leaving ? null : leaving.parentElement;
  const at = row && list ? [...list.children].indexOf(row) : 0;
  const focus = () => {
    if (document.activeElement !== document.body || window.location.pathname !== path) return;
    const rows = list?.isConnected ? [at, at + 1, at - 1].map((place) => list.children[place]) : [];
    const button = [near?.isConnected ? near : null, ...rows]
      .map((one) => one?.querySelector<HTMLElement>(FOCUSABLE))
      .find((one) => one);
    (button ?? page)?.focus();
  };
  requestAnimationFrame(focus);
  setTimeout(focus, CLOSED_MS);
}

/** The `ref` of a button that may go with what it acts on, alone or with its row. */
export const focusBeside = (button: HTMLElement | null) => () => {
  if (button) leaveFocus(button);
};
