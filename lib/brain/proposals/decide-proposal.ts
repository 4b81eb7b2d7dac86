import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { serviceKey } from '#lib/core/input/idempotency-key.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { addMemoryWithin } from '../memories/add-memory.ts';
import { updateMemoryWithin } from '../memories/update-memory.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { proposalNotFound } from './proposal-rules.ts';

type AcceptInput = {
  proposalId: string;
  /** Of a change: the version of the Memory that the member compared it with; null for a new Memory. */
  seenVersion: number | null;
  /** The member's edits; both absent: as proposed. */
  title?: string;
  body?: string;
};

/** The key under which an accepted proposal is written: it says later which Memory it became. */
const keyOf = (proposalId: string) => serviceKey(`proposal-${proposalId}`);

/** The former key of the same, which a caller could also choose. */
const formerKeyOf = (proposalId: string) => `proposal-${proposalId}`;

/**
 * Writes the proposed text with the member as its author, through the same verbs as the member's own edits, and deletes the proposal, in one
 * transaction. Of two members who accept at once, one writes; the other is told which Memory a new one became, and of a change that it is decided
 * (`not_found`). Errors, the proposal still waiting: `forbidden`, `not_found` (decided, expired, a stranger's), `conflict` (the Memory changed
 * since it was compared), `capacity_full`.
 */
export async function acceptProposal(
  ctx: Context<AccountActor>,
  input: AcceptInput,
): Promise<{ memoryId: string; spaceId: string }> {
  requireBrainWrite(ctx);
  const { accountId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const found = await lockWaiting(ctx, tx, input.proposalId);
    if (!found) return becameOf(ctx, tx, input.proposalId);
    requireBrainWrite(ctx, found.spaceId);
    const title = input.title ?? found.title;
    const body = input.body ?? found.body;
    let memoryId = found.memoryId;
    if (memoryId === null) {
      const { memory } = await addMemoryWithin(ctx, tx, {
        spaceId: found.spaceId,
        pillar: found.role,
        title,
        body,
        parentId: null,
        source: 'MCP',
        idempotencyKey: keyOf(found.id),
      });
      memoryId = memory.id;
    } else
      await change(ctx, tx, {
        memoryId,
        expectedVersion: input.seenVersion ?? found.baseVersion,
        title,
        body,
      });
    await tx.deleteFrom('MemoryProposal').where('id', '=', found.id).execute();
    await recordAudits(tx, ctx, [
      {
        action: 'memory.proposal_accepted',
        accountId,
        subject: { type: 'proposal', id: found.id },
        data: {
          spaceId: found.spaceId,
          memoryId,
          edited: title !== found.title || body !== found.body,
        },
      },
    ]);
    return { memoryId, spaceId: found.spaceId };
  });
}

/**
 * Refuses a proposal: its texts are deleted at once; the reason is kept until the proposal would have expired, to answer the same proposal
 * made again. Errors: `forbidden`, `not_found`, that of a closed account.
 */
export async function refuseProposal(
  ctx: Context<AccountActor>,
  input: { proposalId: string; reason: string | null },
): Promise<void> {
  requireBrainWrite(ctx);
  const { accountId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    const found = await lockWaiting(ctx, tx, input.proposalId);
    if (!found) throw proposalNotFound();
    requireBrainWrite(ctx, found.spaceId);
    await requireOpenAccount(tx, ctx.actor, accountId);
    await tx
      .updateTable('MemoryProposal')
      .set({ state: 'REFUSED', reason: input.reason, title: '', body: '', note: null })
      .where('id', '=', found.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'memory.proposal_refused',
        accountId,
        subject: { type: 'proposal', id: found.id },
        data: { spaceId: found.spaceId, memoryId: found.memoryId },
      },
    ]);
  });
}

/** Locks the proposal, if it still waits in this account, so that concurrent decisions wait. */
function lockWaiting(ctx: Context<AccountActor>, tx: Transaction, proposalId: string) {
  return tx
    .selectFrom('MemoryProposal')
    .selectAll()
    .where('id', '=', proposalId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('state', '=', 'WAITING')
    .where('expiresAt', '>', ctx.clock.now())
    .where(isWithinReach(ctx.actor, 'spaceId'))
    .forUpdate()
    .executeTakeFirst();
}

async function becameOf(ctx: Context<AccountActor>, tx: Transaction, proposalId: string) {
  const key = keyOf(proposalId);
  const found = await tx
    .selectFrom('Memory')
    .select(['id', 'spaceId', 'idempotencyKey'])
    .where('accountId', '=', ctx.actor.accountId)
    .where(isWithinReach(ctx.actor, 'spaceId'))
    .where('idempotencyKey', 'in', [key, formerKeyOf(proposalId)])
    .where('deletedAt', 'is', null)
    .execute();
  const memory = found.find(({ idempotencyKey }) => idempotencyKey === key) ?? found[0];
  if (!memory) throw proposalNotFound();
  return { memoryId: memory.id, spaceId: memory.spaceId };
}

async function change(
  ctx: Context<AccountActor>,
  tx: Transaction,
  input: Parameters<typeof updateMemoryWithin>[2],
): Promise<void> {
  try {
    await updateMemoryWithin(ctx, tx, input);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    throw new ServiceError('conflict', {
      message:
        'La mémoire a changé depuis que vous l’avez comparée. Rien n’a été écrit\u00a0: relisez la différence, puis acceptez de nouveau.',
    });
  }
}
