import { sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';

/** How long a claim on making a thumbnail lasts; past that, whoever took it is presumed dead. */
export const MAKING_MS = 60_000;

/** The asset that has this pathname, as long as it is there; what an upload or a rush names has no thumbnail. */
export const thumbnailOf = prepared(
  'storage.thumbnail_of',
  (db, p: Params<{ pathname: string; accountId: string }>) =>
    db
      .selectFrom('Asset')
      .select(['id', 'type', 'thumbnail', 'thumbnailAt'])
      .where('pathname', '=', p.pathname)
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .where('imported', '=', sql.lit(false)),
);

/** The recorded thumbnail of an asset that waits in the bin. */
export const binnedThumbnail = prepared(
  'storage.thumbnail_binned',
  (db, p: Params<{ pathname: string; accountId: string }>) =>
    db
      .selectFrom('Asset')
      .select('thumbnail')
      .where('pathname', '=', p.pathname)
      .where('accountId', '=', p.accountId)
      .where('binnedBy', 'is not', null),
);

/** Claims the making of a thumbnail for one request at a time, over all instances. None is granted for one that is made, or whose file is about to go. */
export const claimThumbnail = prepared(
  'storage.thumbnail_claim',
  (db, p: Params<{ id: string; now: Date; abandonedAt: Date }>) =>
    db
      .updateTable('Asset')
      .set({ thumbnailAt: p.now })
      .where('id', '=', p.id)
      .where('thumbnail', 'is', null)
      .where(({ or, eb }) => or([eb('thumbnailAt', 'is', null), eb('thumbnailAt', '<', p.abandonedAt)]))
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .returning('id'),
);

/** Records the thumbnail that was made, if the claim still holds and the file is still there. */
export const recordThumbnail = prepared(
  'storage.thumbnail_record',
  (db, p: Params<{ id: string; takenAt: Date; thumbnail: string }>) =>
    db
      .updateTable('Asset')
      .set({ thumbnail: p.thumbnail })
      .where('id', '=', p.id)
      .where('thumbnailAt', '=', p.takenAt)
      .where('thumbnail', 'is', null)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .returning('id'),
);

/** Releases the claim: the next request may take it. `thumbnail`: what was recorded, when the store has lost it; else null. */
export const releaseThumbnail = prepared(
  'storage.thumbnail_release',
  (db, p: Params<{ id: string; takenAt: Date | null; thumbnail: string | null }>) =>
    db
      .updateTable('Asset')
      .set({ thumbnail: null, thumbnailAt: null })
      .where('id', '=', p.id)
      .where('thumbnailAt', '=', p.takenAt)
      .where(sql<boolean>`"thumbnail" is not distinct from ${p.thumbnail}`),
);
