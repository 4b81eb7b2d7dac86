const KEPT_UNDER = 'atelier:opened';
const MOST = 24;
const NAMED = /\b(?:mem|gen|spc)_[0-9a-z]{26}\b/g;

/** What this browser opened lately, the last first: identifiers alone, which the server names again for who asks. */
export function openedLately(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_UNDER) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps in mind the Space, Memory or generation that an address names: the most precise of them. */
export function rememberAddress(address: string): void {
  const id = address.match(NAMED)?.at(-1);
  if (!id) return;
  try {
    const others = openedLately().filter((one) => one !== id);
    localStorage.setItem(KEPT_UNDER, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing has no recents.
  }
}
