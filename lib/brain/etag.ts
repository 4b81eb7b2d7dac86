import { hash } from 'node:crypto';

/** The state of the caller's copy, in numbers that the database can compare; an absent number is not compared. */
export type KnownState = { version?: number; usedCu?: number; capacityCu?: number };

/** Grows when the shape of an answer changes, so that no old ETag survives a deployment that writes it differently. */
const FORMAT = '4';

/**
 * A strong ETag that carries, in clear, the numbers that the database compares, and a digest of everything else that
 * the answer depends on (`about`): `"<version>.<usedCu>.<capacityCu>.<digest>"`.
 */
export function writeEtag(state: KnownState & { version: number }, about: readonly string[]): string {
  return `"${[state.version, state.usedCu ?? '', state.capacityCu ?? '', digest(about)].join('.')}"`;
}

/** Of a longer `If-None-Match` the rest is not looked at. */
const MAX_TAGS = 20;

/**
 * The states behind an `If-None-Match` header (RFC 9110, 13.1.2): those of the answers about the same thing that it names, in any
 * place of its list; for `*`, a state that is always current.
 */
export function readEtags(ifNoneMatch: string | null, about: readonly string[]): KnownState[] {
  if (!ifNoneMatch) return [];
  if (ifNoneMatch.trim() === '*') return [{}];
  const expected = digest(about);
  const tags = [...ifNoneMatch.matchAll(/"([^"]*)"/g)].slice(0, MAX_TAGS);
  return tags.flatMap(([, tag]) => {
    const match = /^(\d{1,9})\.(\d{0,9})\.(\d{0,9})\.([\w-]+)$/.exec(tag ?? '');
    if (match?.[4] !== expected) return [];
    const state = { version: Number(match[1]) };
    return match[2] && match[3]
      ? { ...state, usedCu: Number(match[2]), capacityCu: Number(match[3]) }
      : state;
  });
}

/** A state as text, in the form that the database compares: `<version>.<usedCu>.<capacityCu>`, empty where not compared. */
export function writeState({
  version = '',
  usedCu = '',
  capacityCu = '',
}: { [K in keyof KnownState]: KnownState[K] | '' }): string {
  return [version, usedCu, capacityCu].join('.');
}

/** Whether an answer for this state is still current. */
export function isCurrent(known: KnownState, now: Required<KnownState>): boolean {
  return (['version', 'usedCu', 'capacityCu'] as const).every(
    (name) => (known[name] ?? now[name]) === now[name],
  );
}

function digest(about: readonly string[]): string {
  return hash('sha256', JSON.stringify([FORMAT, ...about]), 'base64url').slice(0, 22);
}
