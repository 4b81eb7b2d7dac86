import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import { findProduct } from '#lib/products/registry.ts';
import { isFileStoreHost, SHARED_IMAGE_CDN } from '#lib/products/shared-hosts.ts';
import { FREE_PRODUCT, type Product } from '#lib/products/types.ts';
import type { MediaRule } from '#lib/providers/models/entry.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { measureClip, probeImageFile } from '#lib/storage/media/probe.ts';
import { pathnameOfStoreUrl, plainPathname, productFolders } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '../context.ts';
import type { ReferenceFile } from '../generation/params.ts';
import { readJournalRef } from '../journal-ref.ts';
import { mediaProblem } from './check-media.ts';
import { findOwnFiles, type OwnFile } from './find-files.ts';
import { findJournalFiles } from './journal-files.ts';

/** A reference to read: an address, the identifier of an asset, an upload or an avatar of the account, or a file of its journal. */
export type WantedReference = {
  ref: string;
  as: 'image' | 'clip';
  /** Bounds of a clip's measured duration, included. */
  minMs?: number | undefined;
  maxMs?: number | undefined;
  /** What the model's maker reads of it. */
  media?: MediaRule | undefined;
};

export type ReadReference = {
  bytes: Uint8Array;
  contentType: string;
  width: number;
  height: number;
  durationMs?: number;
  /** Of a clip, where its frames tell it. */
  framesPerSecond?: number;
  /** For the row: never the bytes. */
  file: ReferenceFile;
};

/** How many references are read at once. */
const TOGETHER = 4;

/**
 * Reads every reference of a request, safely: own files of the product or of the free one from the store, addresses only from the product's shops and the
 * shared image CDN, types and durations by their bytes, and what the model's maker reads of them. Keeps the order. Throws `reference-refused` naming the first one
 * that was refused, with its `detail` and sentence; nothing was debited and no row exists.
 */
export async function readReferences(
  ctx: StudioContext<AccountActor>,
  product: Product,
  wanted: readonly WantedReference[],
): Promise<ReadReference[]> {
  const made = await findJournalFiles(
    ctx,
    wanted.map(({ ref }) => ref),
  );
  const places = wanted.map(({ ref }) => placeOf(ctx, product, ref, made));
  const ids = places.flatMap((place) => ('id' in place ? [place.id] : []));
  const pathnames = places.flatMap((place) => ('pathname' in place ? [place.pathname] : []));
  const own = await findOwnFiles(ctx, { ids, pathnames });
  const read: ReadReference[] = [];
  for (let first = 0; first < wanted.length; first += TOGETHER) {
    const batch = wanted.slice(first, first + TOGETHER);
    read.push(
      ...(await Promise.all(
        batch.map((one, index) => readOne(ctx, product, one, places[first + index] as Place, own)),
      )),
    );
  }
  return read;
}

type Place = { id: string } | { pathname: string } | { url: string };

function refused(ref: string, detail: string, message?: string): ServiceError {
  return new ServiceError('reference-refused', { detail, subject: ref, ...(message ? { message } : {}) });
}

/** Where a reference lies. A pathname of our store, or an address of it, counts by folder: the product's, or the free one's. */
function placeOf(
  ctx: StudioContext,
  product: Product,
  ref: string,
  made: ReadonlyMap<string, string>,
): Place {
  if (readJournalRef(ref)) {
    const pathname = made.get(ref);
    if (pathname) return { pathname };
    throw refused(ref, 'not-found', 'Ce fichier n’est pas dans le journal de ce compte, ou n’y est plus.');
  }
  if (isId('asset', ref) || isId('upload', ref) || isId('avatar', ref)) return { id: ref };
  const url = URL.canParse(ref) ? new URL(ref) : null;
  const pathname = url ? pathnameOfStoreUrl(ref, ctx.studio.config) : plainPathname(ref);
  const folders = productFolders(product.id);
  if (pathname && folders.some((folder) => pathname.startsWith(folder))) return { pathname };
  if (url && !pathname && !isFileStoreHost(url.hostname)) return { url: ref };
  throw refused(
    ref,
    'host-not-allowed',
    'Ce fichier n’est ni dans le dossier du produit, ni dans le dossier libre.',
  );
}

async function readOne(
  ctx: StudioContext<AccountActor>,
  product: Product,
  wanted: WantedReference,
  place: Place,
  own: readonly OwnFile[],
): Promise<ReadReference> {
  const { ref } = wanted;
  try {
    const found = 'url' in place ? null : ownFile(own, place);
    if (!('url' in place) && !found)
      throw refused(ref, 'not-found', 'Ce fichier n’existe pas dans ce compte.');
    if (found) refuseOtherProduct(ctx, product, ref, found);
    const bytes = found ? await readStored(ctx, wanted, found) : await readAddress(ctx, product, ref);
    const measured =
      wanted.as === 'image'
        ? await probeImageFile(bytes, { maxBytes: MEDIA_LIMITS.referenceBytes, owner: ctx.actor.accountId })
        : await measureClip(bytes, {
            owner: ctx.actor.accountId,
            ...(wanted.minMs === undefined ? {} : { minMs: wanted.minMs }),
            ...(wanted.maxMs === undefined ? {} : { maxMs: wanted.maxMs }),
          });
    const { contentType, width, height } = measured;
    const durationMs = measured.kind === 'image' ? undefined : measured.durationMs;
    const duration = durationMs === undefined ? {} : { durationMs };
    const framesPerSecond = measured.kind === 'image' ? null : measured.framesPerSecond;
    const rates = framesPerSecond === null ? {} : { framesPerSecond };
    const problem = mediaProblem(wanted.as, { contentType, width, height, ...rates }, wanted.media);
    if (problem) throw refused(ref, problem.detail, problem.message);
    return {
      bytes,
      contentType,
      width,
      height,
      ...duration,
      ...rates,
      file: { ref, contentType, ...duration, ...(found ? { pathname: found.pathname } : {}) },
    };
  } catch (error) {
    if (error instanceof MediaRefusal || error instanceof FetchRefusal)
      throw refused(ref, error.reason, error.message);
    throw error;
  }
}

function ownFile(own: readonly OwnFile[], place: { id: string } | { pathname: string }): OwnFile | null {
  return (
    own.find((file) => ('id' in place ? file.id === place.id : file.pathname === place.pathname)) ?? null
  );
}

function refuseOtherProduct(
  ctx: StudioContext<AccountActor>,
  product: Product,
  ref: string,
  file: OwnFile,
): void {
  const message = otherProduct(ctx, product, file);
  if (message) throw refused(ref, 'host-not-allowed', message);
}

/** Why a file of another product is not read for this one, however it is named: it would go when that one is purged. Null: it may be. */
export function otherProduct(
  ctx: StudioContext<AccountActor>,
  product: Product,
  { productId }: Pick<OwnFile, 'productId'>,
): string | null {
  if (productId === product.id || productId === FREE_PRODUCT) return null;
  const name = findProduct(ctx.actor.accountId, productId)?.name ?? productId;
  return sentences.otherProduct.replace('{product}', name);
}

async function readStored(ctx: StudioContext, wanted: WantedReference, file: OwnFile): Promise<Uint8Array> {
  const maxBytes = wanted.as === 'clip' ? MEDIA_LIMITS.uploadedClipBytes : MEDIA_LIMITS.referenceBytes;
  try {
    const read = await ctx.studio.store?.read(file.pathname, { maxBytes });
    if (read) return read.bytes;
  } catch (error) {
    if (error instanceof TooManyBytes) throw new MediaRefusal('too-large');
    throw refused(wanted.ref, 'unreadable', 'Le magasin de fichiers n’a pas donné ce fichier.');
  }
  throw refused(wanted.ref, 'not-found', 'Ce fichier n’existe plus.');
}

async function readAddress(ctx: StudioContext, product: Product, ref: string): Promise<Uint8Array> {
  const hosts = [SHARED_IMAGE_CDN, ...product.references.shopDomains];
  return (await ctx.studio.fetch(ref, { policy: { hosts } })).bytes;
}
