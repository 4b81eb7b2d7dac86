import type { AccountActor } from '#lib/core/actor.ts';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { thumbnailPathname } from '../pathnames.ts';
import { fileGone } from '../refusals.ts';
import { matchesEtag, quotedEtag } from '../serving/byte-range.ts';
import { safeFileHeaders } from '../serving/file-headers.ts';
import { type FileAnswer, type FileRequest, openFile } from '../serving/open-file.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import {
  binnedThumbnail,
  claimThumbnail,
  MAKING_MS,
  recordThumbnail,
  releaseThumbnail,
  thumbnailOf,
} from './thumbnail-claims.ts';

/** A larger file is shown as it is. */
const MAX_READ_BYTES = 48 * 1024 * 1024;
const CONTENT_TYPE = 'image/webp';

/**
 * Two at a time, one for the same account: a picture of 64 megapixels is read line by line, and the rest of a page waits behind its first
 * tiles, no other account's page with it. Apart from the places of what is paid for, which never waits for tiles.
 */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: Number.POSITIVE_INFINITY });
/** Thumbnails being made by this instance: concurrent requests here wait for them; other instances serve the file itself. */
const making = new Map<string, Promise<string | null>>();

/**
 * Opens a file of the account as a tile shows it: its thumbnail, made at the first asking and kept beside it, or the file itself where it
 * has none (a drawing, a clip, a file that is smaller or cannot be read) or another instance is making it. Seen by whoever may see
 * the file, gone with it. Errors: those of `openFile`.
 */
export async function openThumbnail(
  ctx: FilesContext<AccountActor>,
  request: FileRequest,
): Promise<FileAnswer> {
  const { pathname } = request;
  const asset = await thumbnailOf.first(ctx.kysely, { pathname, accountId: ctx.actor.accountId });
  if (asset?.type !== 'IMAGE' || asset.thumbnail === '') return openFile(ctx, request);
  const etag = asset.thumbnail ?? (await made(ctx, { id: asset.id, pathname }));
  const answer = etag ? await given(ctx, { request, etag }) : null;
  if (answer) return answer;
  // The store has lost it: the next asker makes it again.
  if (asset.thumbnail)
    await releaseThumbnail.run(ctx.kysely, {
      id: asset.id,
      takenAt: asset.thumbnailAt,
      thumbnail: asset.thumbnail,
    });
  return openFile(ctx, request);
}

/**
 * The thumbnail that was made of a file before it went to the bin, or of one that is live: what the bin shows of it. Nothing is made, and
 * the file itself stays gone. Errors: `not_found`.
 */
export async function openBinnedThumbnail(
  ctx: FilesContext<AccountActor>,
  request: FileRequest,
): Promise<FileAnswer> {
  const asked = { pathname: request.pathname, accountId: ctx.actor.accountId };
  const asset = await binnedThumbnail.first(ctx.kysely, asked);
  if (!asset) return openThumbnail(ctx, request);
  const answer = asset.thumbnail ? await given(ctx, { request, etag: asset.thumbnail }) : null;
  if (!answer) throw fileGone(request.pathname);
  return answer;
}

async function given(
  ctx: FilesContext,
  { request, etag }: { request: FileRequest; etag: string },
): Promise<FileAnswer | null> {
  const pathname = thumbnailPathname(request.pathname);
  const headers: Record<string, string> = {
    ...safeFileHeaders({ pathname, contentType: CONTENT_TYPE, download: request.download }),
    ETag: quotedEtag(etag),
    'Accept-Ranges': 'none',
  };
  if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, headers, body: null };
  const { signal } = request;
  const opened = await requireStore(ctx)
    .open(pathname, signal ? { signal } : {})
    .catch(storeSilent);
  if (!opened) return null;
  if (opened.bytes !== null) headers['Content-Length'] = `${opened.bytes}`;
  if (!request.withoutBody) return { status: 200, headers, body: opened.stream };
  await opened.stream.cancel();
  return { status: 200, headers, body: null };
}

function made(
  ctx: FilesContext<AccountActor>,
  asset: { id: string; pathname: string },
): Promise<string | null> {
  const known = making.get(asset.id);
  if (known) return known;
  const work = inTurn(ctx.actor.accountId, () => makeOnce(ctx, asset)).finally(() => making.delete(asset.id));
  making.set(asset.id, work);
  return work;
}

/** Its ETag once it is made and recorded, by this or by whoever was first; null while another makes it, or when the file has none or is gone. */
async function makeOnce(
  ctx: FilesContext<AccountActor>,
  { id, pathname }: { id: string; pathname: string },
): Promise<string | null> {
  const store = requireStore(ctx);
  const now = ctx.clock.now();
  const abandonedAt = new Date(now.getTime() - MAKING_MS);
  const recorded = () => thumbnailOf.first(ctx.kysely, { pathname, accountId: ctx.actor.accountId });
  if (!(await claimThumbnail.first(ctx.kysely, { id, now, abandonedAt })))
    return (await recorded())?.thumbnail ?? null;
  let etag: string;
  try {
    const file = await store.read(pathname, { maxBytes: MAX_READ_BYTES }).catch(tooLarge);
    // A file missing from the store may be restored from a backup: it must not be recorded as having no thumbnail.
    if (!file) {
      await releaseThumbnail.run(ctx.kysely, { id, takenAt: now, thumbnail: null });
      return null;
    }
    const bytes = file === 'too-large' ? null : await makeThumbnail(file.bytes);
    etag = bytes
      ? (await store.put(thumbnailPathname(pathname), bytes, { contentType: CONTENT_TYPE })).etag
      : '';
  } catch (error) {
    ctx.log.warn('thumbnail.not_made', { subject: id, ...faultFields(error) });
    await releaseThumbnail.run(ctx.kysely, { id, takenAt: now, thumbnail: null });
    return null;
  }
  if (await recordThumbnail.first(ctx.kysely, { id, takenAt: now, thumbnail: etag })) return etag;
  // The file was deleted in between, or another request took over an expired claim: its thumbnail has the same bytes.
  const isThere = await recorded();
  // What the store keeps of it is the orphan pass’s: whoever asked is told that the file is gone.
  if (!isThere && etag !== '') await store.delete([thumbnailPathname(pathname)]).catch(() => undefined);
  return null;
}

/** What is too large to be read has no thumbnail; any other fault is one. */
function tooLarge(error: unknown): 'too-large' {
  if (error instanceof TooManyBytes) return 'too-large';
  throw error;
}

function storeSilent(cause: unknown): never {
  throw new ServiceError('unavailable', {
    message: sentences.storeSilent,
    retryAfterSeconds: 5,
    cause,
  });
}
