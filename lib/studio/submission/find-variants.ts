import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import { MAX_VARIANTS } from '../limits.ts';
import type { Idempotency } from './find-replay.ts';

/**
 * The key of one variant, counted from 1, under that of its request. The first has the request's own: one key stands for one request,
 * whether it asks for one generation or for several, and the database lets no two have it.
 */
export const variantKey = (key: string, variant: number) => (variant === 1 ? key : numbered(key, variant));

const numbered = (key: string, variant: number) => `${key}#${variant}`;

const findByKeys = prepared(
  'studio.variants',
  (db, p: Params<{ accountId: string; memberId: string; keys: string[] }>) =>
    db
      .selectFrom('Generation')
      .select(GENERATION_COLUMNS)
      .where('accountId', '=', p.accountId)
      .where('memberId', '=', p.memberId)
      .where(isAnyOf('idempotencyKey', p.keys))
      .orderBy('idempotencyKey'),
);

/** The rows that these keys made, in their order; null when none is there. Throws `idempotency_conflict` when one was another request's. */
export async function findVariants(
  ctx: StudioContext<AccountActor>,
  wanted: readonly Idempotency[],
): Promise<Generation[] | null> {
  const { accountId, memberId } = ctx.actor;
  // A first variant used to be numbered too: sent again since, it is still the same request.
  const former = wanted.slice(0, 1).map(({ key }) => numbered(key, 1));
  const keys = [...wanted.map(({ key }) => key), ...former];
  const found = await findByKeys.all(ctx.kysely, { accountId, memberId, keys });
  if (found.length === 0) return null;
  const rows = found.map(readGeneration);
  const isSame = (row: Generation, { fingerprint }: Idempotency) =>
    row.idempotencyFingerprint !== null && Buffer.compare(row.idempotencyFingerprint, fingerprint) === 0;
  const matches = wanted.every((one, at) => rows[at] !== undefined && isSame(rows[at], one));
  if (!matches) throw new ServiceError('idempotency_conflict');
  return rows;
}

/** The rows that a request of this member made under its key, whether it asked for one or for several; none when it never arrived. */
export async function findSent(
  ctx: StudioContext<AccountActor>,
  input: { idempotencyKey: string },
): Promise<Generation[]> {
  const { idempotencyKey: key } = input;
  const { accountId, memberId } = ctx.actor;
  const keys = [key, ...Array.from({ length: MAX_VARIANTS }, (_, at) => numbered(key, at + 1))];
  return (await findByKeys.all(ctx.kysely, { accountId, memberId, keys })).map(readGeneration);
}
