import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';
import { isAnyLocked } from '#lib/db/values.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { lockLiveAsset } from '../assets/live-asset.ts';
import { fileGone, requireGenerate } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import type { BinnedKind, BinnedRef } from './binned-kinds.ts';

type Restoring = { tx: Transaction; accountId: string; id: string; now: Date; since: Date };

/** What was restored: its audit entry, and how many files; null when it is not in the bin. */
type Restored = { event: AuditEvent; files: number };

/**
 * Brings one thing back from the bin: the files of a generation, an upload, an avatar or a concept, as it was. Files have 30 days before
 * them again. Audited `….restored`. Errors: `forbidden`; `not_found` when it is live, erased, over its 30 days or a stranger's;
 * `conflict` for an avatar whose image is in the bin itself (`binned`) or is another avatar by now (`avatar`).
 */
export async function restoreBinned(
  ctx: Context<AccountActor>,
  { kind, id }: BinnedRef,
): Promise<{ files: number }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  return withRetentionPaused(ctx, async (tx) => {
    const restored = await RESTORES[kind]({ tx, accountId, id, now, since: erasedBefore(now) });
    if (!restored) throw fileGone(id);
    await recordAudits(tx, ctx, [restored.event]);
    return { files: restored.files };
  });
}

const RESTORES: Record<BinnedKind, (one: Restoring) => Promise<Restored | null>> = {
  files: restoreFiles,
  upload: restoreUpload,
  avatar: restoreAvatar,
  concept: restoreConcept,
};

async function restoreFiles({ tx, accountId, id, now, since }: Restoring): Promise<Restored | null> {
  // The generation is locked first, as in a deletion, so that the two run one after the other.
  const generation = await tx
    .selectFrom('Generation')
    .select('id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!generation) return null;
  const files = await tx
    .updateTable('Asset')
    .set({ deletedAt: null, deletedBy: null, binnedBy: null, restoredAt: now, updatedAt: now })
    // Locked in the same order as an erasure, to avoid a deadlock.
    .where(
      isAnyLocked(
        'id',
        tx
          .selectFrom('Asset')
          .select('id')
          .where('generationId', '=', id)
          .where('accountId', '=', accountId)
          .where('binnedBy', 'is not', null)
          .where('deletedAt', '>=', since)
          .orderBy('id')
          .forNoKeyUpdate(),
      ),
    )
    .returning(['id', 'pathname'])
    .execute();
  if (files.length === 0) return null;
  await tx
    .updateTable('Generation')
    .set({ filesDeletedAt: null, filesDeletedBy: null, updatedAt: now })
    .where('id', '=', id)
    .execute();
  return {
    files: files.length,
    event: {
      action: 'generation.files_restored',
      accountId,
      subject: { type: 'generation', id },
      data: { assetIds: files.map((file) => file.id), pathnames: files.map((file) => file.pathname) },
    },
  };
}

async function restoreUpload({ tx, accountId, id, now, since }: Restoring): Promise<Restored | null> {
  const upload = await tx
    .updateTable('Upload')
    .set({ deletedAt: null, deletedBy: null, binnedBy: null, touchedAt: now })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('binnedBy', 'is not', null)
    .where('deletedAt', '>=', since)
    .returning('pathname')
    .executeTakeFirst();
  return (
    (upload && {
      files: 1,
      event: {
        action: 'reference.restored',
        accountId,
        subject: { type: 'upload', id },
        data: { pathname: upload.pathname },
      },
    }) ??
    null
  );
}

async function restoreAvatar({ tx, accountId, id, since }: Restoring): Promise<Restored | null> {
  const avatar = await tx
    .selectFrom('Avatar as v')
    .innerJoin('Asset as a', 'a.id', 'v.assetId')
    .select(['v.assetId', 'a.binnedBy'])
    .where('v.id', '=', id)
    .where('v.accountId', '=', accountId)
    .where('v.binnedBy', 'is not', null)
    .where('v.deletedAt', '>=', since)
    .executeTakeFirst();
  if (!avatar) return null;
  if (avatar.binnedBy !== null)
    throw new ServiceError('conflict', {
      detail: 'binned',
      subject: id,
      message: sentences.avatarFileBinned,
    });
  // Locked, as when an image is kept: it becomes one avatar only.
  await lockLiveAsset(tx, accountId, avatar.assetId);
  const other = await tx
    .selectFrom('Avatar')
    .select('id')
    .where('assetId', '=', avatar.assetId)
    .where('deletedAt', 'is', null)
    // The avatar itself, restored concurrently, is no conflict.
    .where('id', '!=', id)
    .executeTakeFirst();
  if (other)
    throw new ServiceError('conflict', { detail: 'avatar', subject: id, message: sentences.avatarTaken });
  const back = await tx
    .updateTable('Avatar')
    .set({ deletedAt: null, binnedBy: null })
    .where('id', '=', id)
    .where('binnedBy', 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return (
    (back && {
      files: 0,
      event: {
        action: 'avatar.restored',
        accountId,
        subject: { type: 'avatar', id },
        data: { assetId: avatar.assetId },
      },
    }) ??
    null
  );
}

async function restoreConcept({ tx, accountId, id, now, since }: Restoring): Promise<Restored | null> {
  const concept = await tx
    .updateTable('Concept')
    .set({ deletedAt: null, binnedBy: null, updatedAt: now })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('binnedBy', 'is not', null)
    .where('deletedAt', '>=', since)
    .returning(
      sql<number>`(select count(*)::int from "Asset" a where a."conceptId" = "Concept"."id" and a."deletedAt" is null)`.as(
        'files',
      ),
    )
    .executeTakeFirst();
  return (
    (concept && {
      files: 0,
      event: {
        action: 'concept.restored',
        accountId,
        subject: { type: 'concept', id },
        data: { files: concept.files },
      },
    }) ??
    null
  );
}
