import type { AccountActor } from '#lib/core/actor.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';

/** The caller's idempotency key, and the fingerprint of the request sent under it. */
export type Idempotency = { key: string; fingerprint: Uint8Array };

/** SHA-256 of what a request means: the same meaning in another order of keys is the same request. */
export function fingerprintOf(meaning: object): Uint8Array {
  const canonical = JSON.stringify(meaning, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  return sha256(canonical);
}

const findByKey = prepared('studio.replay', (db, p: Params<{ memberId: string; key: string }>) =>
  db
    .selectFrom('Generation')
    .select(GENERATION_COLUMNS)
    .where('memberId', '=', p.memberId)
    .where('idempotencyKey', '=', p.key),
);

/** The row that this key made, or null. Throws `idempotency_conflict` when it was another request's. */
export async function findReplay(
  ctx: StudioContext<AccountActor>,
  { key, fingerprint }: Idempotency,
): Promise<Generation | null> {
  const found = await findByKey.first(ctx.kysely, { memberId: ctx.actor.memberId, key });
  if (!found) return null;
  const row = readGeneration(found);
  if (!row.idempotencyFingerprint || Buffer.compare(row.idempotencyFingerprint, fingerprint) !== 0)
    throw new ServiceError('idempotency_conflict');
  return row;
}

/** Whether another request took the same key since this one looked. */
export function isKeyTaken(error: unknown): boolean {
  const { constraint } = (error ?? {}) as { constraint?: unknown };
  return isUniqueViolation(error) && constraint === 'Generation_memberId_idempotencyKey_key';
}
