import type { Actor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import type { UploadKind, UploadVia } from '#lib/db/generated/tables.ts';
import { transaction } from '#lib/db/transaction.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore, StoredFile } from '../file-store.ts';
import { isOutOfTime } from '../media/measure-in-child.ts';
import { MediaRefusal } from '../media/media-refusal.ts';
import { CLIP_FORMATS, MEDIA_LIMITS } from '../media/media-types.ts';
import { type ProbedMedia, probeMedia } from '../media/probe.ts';
import type { ProbedDocument } from '../media/probe-document.ts';
import { endHold, findRefusal, takeHoldOrQuota } from './storage-quota.ts';

/** A reference that a member brought, as it was recorded. */
export type UploadRecord = {
  id: string;
  productId: string;
  kind: UploadKind;
  pathname: string;
  contentType: string;
  bytes: number;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  via: UploadVia;
  createdAt: Date;
};

type Uploader = { accountId: string; memberId: string; productId: string };

/** An object older than this is no longer recorded: retention may be about to delete it. */
const RECORD_WITHIN_MS = 86_400_000;

/**
 * Files that this process holds in memory to measure them, up to 50 MB each, at most three of one account. Further files wait in the store;
 * nothing that was sent is refused.
 */
const inTurn = createFairSlots({ count: 4, waitingPerOwner: Number.POSITIVE_INFINITY });

const COLUMNS = [
  'id',
  'productId',
  'kind',
  'pathname',
  'contentType',
  'bytes',
  'width',
  'height',
  'durationMs',
  'via',
  'createdAt',
] as const;

/** The recorded upload of a path, if it is this account's; `not_found` when it is another's. */
async function findUpload(
  ctx: FilesContext<Actor>,
  owner: Uploader,
  pathname: string,
): Promise<UploadRecord | null> {
  const row = await ctx.kysely
    .selectFrom('Upload')
    .select(['accountId', ...COLUMNS])
    .where('pathname', '=', pathname)
    .executeTakeFirst();
  if (!row) return null;
  const { accountId, ...upload } = row;
  if (accountId !== owner.accountId) throw unknown(pathname);
  return { ...upload, bytes: Number(upload.bytes) };
}

/**
 * Records a rush or a track in the store, once per pathname whichever caller is first, with the type and duration measured from its bytes. A
 * file that is not what it claims is deleted and refused (`reference-refused` with its `detail`). Errors: `invalid` when it never arrived or
 * waited more than a day; `unavailable` when it could not be read in its time, and stays; `conflict` (`storage-full`) when it has no hold (a reused token) and no room: it is deleted, because uncounted files
 * would escape the quota. `mayStillSend`, given where no session asks: whether its member has the right at this moment; the file of one who
 * has it no more is deleted (`forbidden`).
 */
export async function recordStoredUpload(
  ctx: FilesContext<Actor>,
  {
    mayStillSend,
    ...input
  }: Uploader & { pathname: string; via: UploadVia; mayStillSend?: () => Promise<boolean> },
): Promise<UploadRecord> {
  const recorded = await findUpload(ctx, input, input.pathname);
  if (recorded) return recorded;
  const store = requireStore(ctx);
  const stored = await store.head(input.pathname);
  if (!stored) {
    // The store's callback, or another confirmation, was first and has judged it.
    const refusal = await findRefusal(ctx.kysely, input);
    if (refusal) throw new ServiceError('reference-refused', { ...refusal, subject: input.pathname });
    throw new ServiceError('invalid', { detail: 'upload-missing', message: sentences.uploadMissing });
  }
  if (stored.uploadedAt && ctx.clock.now().getTime() - stored.uploadedAt.getTime() > RECORD_WITHIN_MS)
    throw new ServiceError('invalid', { detail: 'upload-stale', message: sentences.uploadStale });
  if (mayStillSend && !(await mayStillSend())) {
    await endHold(ctx.kysely, { ...input, bytes: stored.bytes, now: ctx.clock.now() });
    await discard(store, stored);
    throw new ServiceError('forbidden');
  }
  const measured = inTurn(input.accountId, () => measure(store, stored, input.accountId));
  const media = await measured.catch(async (error: unknown) => {
    // On any other error the file stays and keeps its hold: it may be confirmed again.
    if (!(error instanceof MediaRefusal)) throw error;
    if (isOutOfTime(error))
      throw new ServiceError('unavailable', {
        message: sentences.uploadSlow,
        subject: stored.pathname,
        retryAfterSeconds: 30,
        cause: error,
      });
    const refusal = { detail: error.reason, message: error.message };
    // Recorded before the bytes are deleted, so that a caller who finds no file finds the reason.
    await endHold(ctx.kysely, { ...input, bytes: stored.bytes, now: ctx.clock.now(), refusal });
    await discard(store, stored);
    throw refusedMedia(error, stored.pathname);
  });
  try {
    return await insertUpload(ctx, { ...input, media, etag: stored.etag });
  } catch (error) {
    if (error instanceof ServiceError && error.options.detail === 'storage-full')
      await discard(store, stored);
    throw error;
  }
}

/** Deletes a file that is not recorded; what the store refuses is the orphan pass's. */
async function discard(store: FileStore, { pathname, etag }: StoredFile): Promise<void> {
  await store.delete([pathname], { ifMatch: etag }).catch(() => undefined);
}

/** What the stored file is. Throws `MediaRefusal`. */
async function measure(store: FileStore, stored: StoredFile, owner: string): Promise<ProbedMedia> {
  const maxBytes = MEDIA_LIMITS.uploadedClipBytes;
  if (stored.bytes > maxBytes) throw new MediaRefusal('too-large');
  const file = await store.read(stored.pathname, { maxBytes }).catch((error: unknown) => {
    throw error instanceof TooManyBytes ? new MediaRefusal('too-large') : error;
  });
  // Sent with public access, it is not where our private files are.
  if (!file) throw new MediaRefusal('type-not-accepted');
  return await probeMedia(file.bytes, {
    accept: CLIP_FORMATS,
    declaredType: stored.contentType,
    fileName: stored.pathname,
    owner,
  });
}

/** The refusal that a caller receives for a file that is not what it should be; `subject` names the file. */
export function refusedMedia(error: MediaRefusal, subject: string): ServiceError {
  return new ServiceError('reference-refused', { detail: error.reason, subject, message: error.message });
}

const KIND_OF: Record<(ProbedMedia | ProbedDocument)['kind'], UploadKind> = {
  image: 'IMAGE',
  video: 'RUSH',
  audio: 'TRACK',
  document: 'DOCUMENT',
};

/** Writes the row and `reference.uploaded` in one transaction, once per pathname; a second caller reads the first one's. */
export async function insertUpload(
  ctx: FilesContext<Actor>,
  input: Uploader & {
    pathname: string;
    via: UploadVia;
    media: ProbedMedia | ProbedDocument;
    etag: string;
    id?: string;
  },
): Promise<UploadRecord> {
  const { media, pathname, via } = input;
  const now = ctx.clock.now();
  const kind = KIND_OF[media.kind];
  const durationMs = 'durationMs' in media ? media.durationMs : null;
  const inserted = await transaction(ctx, async (tx) => {
    const { accountId, memberId, productId, etag } = input;
    const { contentType, bytes, width, height } = media;
    const row = await tx
      .insertInto('Upload')
      .values({
        id: input.id ?? createId('upload', now),
        accountId,
        memberId,
        productId,
        kind,
        pathname,
        contentType,
        bytes: BigInt(bytes),
        width,
        height,
        durationMs,
        via,
        etag,
        createdAt: now,
        touchedAt: now,
      })
      .onConflict((conflict) => conflict.column('pathname').doNothing())
      .returning(COLUMNS)
      .executeTakeFirst();
    if (!row) return null;
    await takeHoldOrQuota(tx, { accountId, memberId, pathname, bytes, now });
    await recordAudits(tx, ctx, [
      {
        action: 'reference.uploaded',
        accountId: input.accountId,
        subject: { type: 'upload', id: row.id },
        data: {
          via,
          pathname,
          contentType: media.contentType,
          bytes: media.bytes,
          durationMs,
          memberId: input.memberId,
        },
      },
    ]);
    return { ...row, bytes: Number(row.bytes) };
  });
  const upload = inserted ?? (await findUpload(ctx, input, pathname));
  if (!upload) throw unknown(pathname);
  return upload;
}

function unknown(subject: string): ServiceError {
  return new ServiceError('not_found', { subject, message: sentences.uploadUnknown });
}
