import { hash } from 'node:crypto';
import type { KnownState } from './read-space.ts';

/** Grows when the shape of an answer changes, so that no old ETag survives a deployment that writes it differently. */
const FORMAT = '1';

/**
 * A strong ETag that carries, in clear, the numbers that the database compares, and a digest of everything else that
 * the answer depends on (`about`): `"<version>.<usedCu>.<capacityCu>.<digest>"`.
 */
export function writeEtag(state: KnownState, about: readonly string[]): string {
  return `"${[state.version, state.usedCu ?? '', state.capacityCu ?? '', digest(about)].join('.')}"`;
}

/** The state behind an `If-None-Match` header that names an answer about the same thing; undefined for any other. */
export function readEtag(ifNoneMatch: string | null, about: readonly string[]): KnownState | undefined {
  if (!ifNoneMatch) return undefined;
  const expected = digest(about);
  for (const candidate of ifNoneMatch.split(',')) {
    const match = /^\s*(?:W\/)?"(\d{1,9})\.(\d{0,9})\.(\d{0,9})\.([\w-]+)"\s*$/.exec(candidate);
    if (!match || match[4] !== expected) continue;
    return {
      version: Number(match[1]),
      ...(match[2] && match[3] ? { usedCu: Number(match[2]), capacityCu: Number(match[3]) } : {}),
    };
  }
  return undefined;
}

function digest(about: readonly string[]): string {
  return hash('sha256', JSON.stringify([FORMAT, ...about]), 'base64url').slice(0, 22);
}
