/** What was typed and not saved, kept in this tab by Memory, so that closing a panel or losing the page loses nothing. */
export type Draft = { version: number; title: string; body: string };

const name = (memoryId: string) => `brouillon:${memoryId}`;

export function readDraft(memoryId: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(name(memoryId)) ?? 'null');
    const { version, title, body } = (draft ?? {}) as Draft;
    return typeof version === 'number' && typeof title === 'string' && typeof body === 'string'
      ? { version, title, body }
      : null;
  } catch {
    return null;
  }
}

export function keepDraft(memoryId: string, draft: Draft | null): void {
  try {
    if (draft) sessionStorage.setItem(name(memoryId), JSON.stringify(draft));
    else sessionStorage.removeItem(name(memoryId));
  } catch {
    // A browser without storage keeps nothing: the text is still in its field.
  }
}
