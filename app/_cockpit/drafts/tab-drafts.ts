import { leaving } from '#app/_ui/shell/arriving/leaving.ts';

/**
 * By name, the unsent drafts because of which the browser asks before it closes the tab; true if the tab's storage has the text, false if only its
 * field does. A stored draft survives a closed panel, another page and a reload, but not the tab.
 */
const held = new Map<string, boolean>();

/** The draft of this name of the member for whom the page was drawn. Another member who signs in later in the same tab cannot read it. */
export function ownDraft(name: string) {
  const frame = document.querySelector<HTMLElement>('[data-drawn-for]');
  const own = `brouillon:${frame?.dataset.drawnFor ?? ''}:${name}`;
  return {
    read: () => readInTab(own),
    keep: (draft: object | null) => keepInTab(own, draft),
    letGo: () => letGo(own),
  };
}

/** Reads the draft of this name, and makes the browser ask before it closes the tab; an empty object without a draft. */
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

/** Stores the draft of this name in place of the former one; null removes it. */
export function keepInTab(name: string, draft: object | null): void {
  let isStored = true;
  try {
    if (draft) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  } catch {
    // Without storage, or without room in it, the text is in its field only.
    isStored = false;
  }
  if (draft) hold(name, isStored);
  else letGo(name);
}

/** Makes the browser ask before it closes the tab, until `letGo` of the same name. */
export function hold(name: string, isStored = true): void {
  held.set(name, isStored);
  window.addEventListener('beforeunload', ask);
}

/** Lets the browser close the tab without a question: the text was sent, or is kept elsewhere. */
export function letGo(name: string): void {
  held.delete(name);
  // A browser does not keep a page with this listener for « back ».
  if (held.size === 0) window.removeEventListener('beforeunload', ask);
}

function ask(event: Event): void {
  // A text that the tab no longer stores was removed when its member signed out.
  if (![...held].some(([name, isStored]) => !isStored || isKept(name))) return;
  event.preventDefault();
  // Runs if the reader chooses to stay: the document that the router was to load (of a new release) will not come.
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
