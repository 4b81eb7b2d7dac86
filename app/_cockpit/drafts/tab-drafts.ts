import { leaving } from '#app/_ui/shell/arriving/leaving.ts';

/**
 * What was typed and not sent, kept in this tab by name. It outlives a panel, another page and a reload, not the tab itself: while this page
 * holds some, the browser asks before it is closed. Of each, whether the tab has it too, or its field alone.
 */
const held = new Map<string, boolean>();

/**
 * What is typed under a name by the member whom the page was drawn for, as its frame says: a member is of one account, and who signs in after
 * another in the same tab reads nothing of theirs.
 */
export function ownDraft(name: string) {
  const frame = document.querySelector<HTMLElement>('[data-drawn-for]');
  const own = `brouillon:${frame?.dataset.drawnFor ?? ''}:${name}`;
  return {
    read: () => readInTab(own),
    keep: (draft: object | null) => keepInTab(own, draft),
    letGo: () => letGo(own),
  };
}

/** What is kept under this name; empty when nothing is. */
export function readInTab(name: string): object {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return {};
    hold(name);
    return kept;
  } catch {
    return {};
  }
}

/** Keeps it in place of what was kept under this name; null keeps nothing. */
export function keepInTab(name: string, draft: object | null): void {
  let isStored = true;
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  } catch {
    // A browser without storage, or without room, keeps nothing: the text is still in its field.
    isStored = false;
  }
  if (draft) hold(name, isStored);
  else letGo(name);
}

/** Has the browser ask before the tab is closed, as long as something is kept under this name. */
export function hold(name: string, isStored = true): void {
  held.set(name, isStored);
  window.addEventListener('beforeunload', ask);
}

/** What is kept under this name may go with the tab: it was sent, or is kept elsewhere. */
export function letGo(name: string): void {
  held.delete(name);
  // A page that listens for this is kept by no browser for « back ».
  if (held.size === 0) window.removeEventListener('beforeunload', ask);
}

function ask(event: Event): void {
  // What the tab has no more went with the session of its member.
  if (![...held].some(([name, isStored]) => !isStored || isKept(name))) return;
  event.preventDefault();
  // Once it is answered, by who stays: the document that the router was to load (a new release's) comes no more.
  setTimeout(() => {
    if (!leaving.stay) return;
    leaving.calledOff = leaving.to;
    leaving.stay();
  });
}

function isKept(name: string): boolean {
  try {
    return sessionStorage.getItem(name) !== null;
  } catch {
    return true;
  }
}
