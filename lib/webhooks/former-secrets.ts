import type { Sealer } from './secrets.ts';

/** A secret that signs beside the one that replaced it, until it ends. */
export type FormerSecret = { secret: string; endsAt: Date };

type Row = { id: string; previousSecret: Uint8Array | null; previousEndsAt: Date | null };

/** Nobody replaces a secret as often within three days; each is a signature in the header of every delivery. */
const MAX_FORMER = 8;

/**
 * The secrets of an endpoint that still sign beside its own, newest first. One alone is sealed as it is and ends with its row; several, as lines of
 * a secret and its end in milliseconds.
 */
export function formerSecrets(
  sealer: Sealer,
  { id, previousSecret, previousEndsAt }: Row,
  now: Date,
): FormerSecret[] {
  if (!previousSecret || !previousEndsAt || previousEndsAt <= now) return [];
  const lines = sealer.open(previousSecret, id)?.split('\n') ?? [];
  return lines
    .map((line): FormerSecret => {
      const [secret = '', end] = line.split(' ');
      return { secret, endsAt: end === undefined ? previousEndsAt : new Date(Number(end)) };
    })
    .filter(({ secret, endsAt }) => secret !== '' && endsAt > now);
}

/** What a row keeps of the secrets that still sign; of none, nothing. */
export function sealFormerSecrets(
  sealer: Sealer,
  id: string,
  former: readonly FormerSecret[],
): { previousSecret: Uint8Array<ArrayBuffer> | null; previousEndsAt: Date | null } {
  const kept = former.slice(0, MAX_FORMER);
  const [first] = kept;
  if (!first) return { previousSecret: null, previousEndsAt: null };
  const lines = kept.map(({ secret, endsAt }) => `${secret} ${endsAt.getTime()}`);
  return {
    previousSecret: sealer.seal(kept.length === 1 ? first.secret : lines.join('\n'), id),
    previousEndsAt: new Date(Math.max(...kept.map(({ endsAt }) => endsAt.getTime()))),
  };
}
