const KEPT_UNDER = 'atelier:opened';
const MOST = 24;
const NAMED = /\b(?:mem|gen|spc)_[0-9a-z]{26}\b/g;

/** The identifiers of what this browser opened lately, latest first. Only identifiers are kept: the server names them for the member who asks. */
export function openedLately(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_UNDER) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Remembers the last Space, Memory or generation that an address names. */
export function rememberAddress(address: string): void {
  const id = address.match(NAMED)?.at(-1);
  if (!id) return;
  try {
    const others = openedLately().filter((one) => one !== id);
    localStorage.setItem(KEPT_UNDER, JSON.stringify([id, ...others].slice(0, MOST)));
  } catch {
    // Without storage there are no recent items.
  }
}
