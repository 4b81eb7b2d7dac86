import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import { KEEP_REASON_LABELS, storage as sentences } from '#lib/messages/storage.ts';
import { clearGenerations } from '../clear-generations.ts';
import { readAssetFacts } from '../facts/asset-facts.ts';
import { type FileFacts, type LastingReason, lastingReason } from '../keep-reason.ts';
import { fileGone, requireGenerate } from '../refusals.ts';
import { withRetentionLock } from '../retention-lock.ts';

const lockGeneration = prepared(
  'storage.delete_generation_files',
  (db, p: Params<{ id: string; accountId: string }>) =>
    db
      .selectFrom('Generation as g')
      .select('g.state')
      .where('g.id', '=', p.id)
      .where('g.accountId', '=', p.accountId)
      .forUpdate('g'),
);

// After the lock, by a statement of its own: one that waited for a closing sees the new state, and none of the files that came with it.
const findLiveFiles = prepared(
  'storage.live_files_of_generation',
  (db, p: Params<{ id: string; accountId: string }>) =>
    db
      .selectFrom('Asset')
      .select('id')
      .where('generationId', '=', p.id)
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is', null),
);

type DeletedFiles = { generationId: string; pathnames: string[] };

/** Reasons that a member must undo first: a file kept on purpose is never deleted by one click. */
const HOLDS: ReadonlySet<LastingReason> = new Set(['status', 'avatar', 'learning', 'concept', 'in-flight']);

/**
 * Puts the files of a finished generation into the bin at a member’s request, whatever its kind. Its
 * row, cost and ledger lines stay and it shows as deleted; doing it again changes nothing. The bytes go 30 days later, or when a founder
 * erases them. Audited `generation.files_deleted`. Errors: `not_found`; `conflict` while it runs
 * (`running`), when it delivered nothing (`not-done`: failed, quota, no-callback and cancelled rows stay what they are), or when
 * one of its files is kept on purpose (`subject` names it).
 */
export async function deleteGenerationFiles(
  ctx: Context<AccountActor>,
  input: { generationId: string },
): Promise<DeletedFiles> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const files = await withRetentionLock(ctx, async (tx) => {
    const generation = await lockGeneration.first(tx, { id: input.generationId, accountId });
    if (!generation) throw fileGone(input.generationId);
    if (isOpenState(generation.state))
      throw new ServiceError('conflict', { detail: 'running', message: sentences.stillRunning });
    if (generation.state !== 'COMPLETED')
      throw new ServiceError('conflict', { detail: 'not-done', message: sentences.notDelivered });
    const live = await findLiveFiles.all(tx, { id: input.generationId, accountId });
    const assetIds = live.map(({ id }) => id);
    const facts = await readAssetFacts(tx, assetIds, now, accountId);
    for (const file of facts) refuseHeld(file.id, file);
    await tx
      .updateTable('Asset')
      // Files claimed by retention are excluded: their bytes may be gone already.
      .set({
        deletedAt: now,
        deletedBy: 'member',
        binnedBy: sql`case when "expiringAt" is null then ${memberId} end`,
        updatedAt: now,
      })
      .where(
        isAnyLocked(
          'id',
          tx.selectFrom('Asset').select('id').where(isAnyOf('id', assetIds)).orderBy('id').forNoKeyUpdate(),
        ),
      )
      .execute();
    const cleared = await clearGenerations(tx, { generationIds: [input.generationId], by: 'member', now });
    if (cleared.length > 0)
      await recordAudits(tx, ctx, [
        {
          action: 'generation.files_deleted',
          accountId,
          subject: { type: 'generation', id: input.generationId },
          data: {
            by: 'member',
            assetIds,
            pathnames: facts.map((file) => file.pathname),
          },
        },
      ]);
    return facts;
  });
  return { generationId: input.generationId, pathnames: files.map(({ pathname }) => pathname) };
}

function refuseHeld(assetId: string, facts: FileFacts): void {
  // A binned avatar or concept does not prevent the deletion: the file joins it in the bin. Nor does a request that took the file a moment ago: the
  // bin keeps the bytes, and a running generation holds the file itself.
  const binned = { hasBinnedAvatar: false, hasBinnedConcept: false };
  const reason = lastingReason({ ...facts, ...binned, isTaken: false });
  if (!reason || !HOLDS.has(reason)) return;
  throw new ServiceError('conflict', {
    detail: reason,
    subject: assetId,
    message: sentences.heldByMember.replace('{reason}', KEEP_REASON_LABELS[reason]),
  });
}
