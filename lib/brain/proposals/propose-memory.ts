import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { memoryNotFound, spaceNotFound } from '../not-found.ts';
import type { PillarRole } from '../templates.ts';
import { MAX_WAITING_OF_ACCOUNT, MAX_WAITING_OF_PROPOSER, PROPOSAL_DAYS } from './proposal-rules.ts';

export type ProposeInput = {
  /** Where a new Memory would stand, or the Memory that would change. */
  place: { spaceId: string; pillar: PillarRole } | { memoryId: string };
  /** Already trimmed, 1 to 200 characters. */
  title: string;
  body: string;
  note: string | null;
};

export type Proposed = {
  id: string;
  spaceId: string;
  memoryId: string | null;
  state: 'WAITING' | 'REFUSED';
  reason: string | null;
  expiresAt: Date;
};

type Target = {
  spaceId: string;
  role: PillarRole;
  memoryId: string | null;
  baseVersion: number | null;
};

/**
 * Stores a text for a member to accept; the Brain does not change. The same text for the same place is proposed once: while it waits, and
 * after a refusal, the first answer is returned. Any member's key or application may propose, by its scope. Errors, leaving nothing behind:
 * `not_found`, `invalid_request` (nothing would change), `rate_limited` (too many wait), `account_closed` in an account that was closed
 * meanwhile.
 */
export async function proposeMemory(ctx: Context<AccountActor>, input: ProposeInput): Promise<Proposed> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const proposer = actorLabel(ctx.actor);
  return transaction(ctx, async (tx) => {
    // Proposals to one account are serialised, so that those waiting are counted exactly.
    await requireOpenAccount(tx, ctx.actor, accountId, { inTurn: true });
    const target = await findTarget(ctx, tx, input);
    const fingerprint = sha256(
      JSON.stringify([
        target.spaceId,
        target.role,
        target.memoryId,
        target.baseVersion,
        input.title,
        input.body,
      ]),
    );
    const known = await tx
      .selectFrom('MemoryProposal')
      .select(['id', 'spaceId', 'memoryId', 'state', 'reason', 'expiresAt'])
      .where('accountId', '=', accountId)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst();
    if (known && known.expiresAt > now) return known;
    if (known) await tx.deleteFrom('MemoryProposal').where('id', '=', known.id).execute();
    await refuseTooMany(tx, accountId, proposer, now);
    const proposed: Proposed = {
      id: createId('proposal', now),
      spaceId: target.spaceId,
      memoryId: target.memoryId,
      state: 'WAITING',
      reason: null,
      expiresAt: new Date(now.getTime() + PROPOSAL_DAYS * 86_400_000),
    };
    await tx
      .insertInto('MemoryProposal')
      .values({
        ...proposed,
        ...target,
        accountId,
        memberId,
        proposer,
        fingerprint,
        title: input.title,
        body: input.body,
        note: input.note,
        createdAt: now,
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'memory.proposed',
        accountId,
        subject: { type: 'proposal', id: proposed.id },
        data: { spaceId: target.spaceId, memoryId: target.memoryId },
      },
    ]);
    return proposed;
  });
}

async function findTarget(
  ctx: Context<AccountActor>,
  tx: Transaction,
  { place, title, body }: ProposeInput,
): Promise<Target> {
  const { accountId } = ctx.actor;
  if (!('memoryId' in place)) {
    const space = await tx
      .selectFrom('Space')
      .select('id')
      .where('id', '=', place.spaceId)
      .where('accountId', '=', accountId)
      .where('archivedAt', 'is', null)
      .where(isWithinReach(ctx.actor, 'id'))
      .executeTakeFirst();
    if (!space) throw spaceNotFound();
    return { spaceId: space.id, role: place.pillar, memoryId: null, baseVersion: null };
  }
  const memory = await tx
    .selectFrom('Memory as m')
    .innerJoin('Space as s', 's.id', 'm.spaceId')
    .select(['m.id', 'm.spaceId', 'm.role', 'm.version', 'm.title', 'm.body'])
    .where('m.id', '=', place.memoryId)
    .where('m.accountId', '=', accountId)
    .where('m.deletedAt', 'is', null)
    .where('s.archivedAt', 'is', null)
    .where(isWithinReach(ctx.actor, 's.id'))
    .executeTakeFirst();
  if (!memory) throw memoryNotFound();
  if (memory.title === title && memory.body === body) {
    const message = 'La mémoire dit déjà exactement cela\u00a0: il n’y a rien à proposer.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'body', message }] });
  }
  return { spaceId: memory.spaceId, role: memory.role, memoryId: memory.id, baseVersion: memory.version };
}

/** Those of an archived Space are not counted: nobody can decide them before it is back. */
async function refuseTooMany(tx: Transaction, accountId: string, proposer: string, now: Date): Promise<void> {
  const { all, own } = await tx
    .selectFrom('MemoryProposal as p')
    .innerJoin('Space as s', 's.id', 'p.spaceId')
    .select((eb) => [
      eb.fn.countAll<bigint>().as('all'),
      eb.fn.countAll<bigint>().filterWhere('p.proposer', '=', proposer).as('own'),
    ])
    .where('p.accountId', '=', accountId)
    .where('p.state', '=', 'WAITING')
    .where('p.expiresAt', '>', now)
    .where('s.archivedAt', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(own) < MAX_WAITING_OF_PROPOSER && Number(all) < MAX_WAITING_OF_ACCOUNT) return;
  throw new ServiceError('rate_limited', {
    message:
      Number(own) >= MAX_WAITING_OF_PROPOSER
        ? `${MAX_WAITING_OF_PROPOSER} de vos propositions attendent déjà\u00a0: un membre doit d’abord en traiter.`
        : `${MAX_WAITING_OF_ACCOUNT} propositions attendent déjà dans ce compte\u00a0: un membre doit d’abord en traiter.`,
    retryAfterSeconds: 3_600,
  });
}
