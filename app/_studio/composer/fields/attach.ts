import { loadBlobClient } from '#app/_cockpit/sending/blob-client.ts';
import { clipTarget, confirmClip, sendDocument, sendImage } from '#app/_studio/composer/fields/actions.ts';
import { askGrant, sendToBucket } from '#app/_studio/composer/fields/send-to-bucket.ts';
import { bytes } from '#app/_ui/format.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';
import {
  contentTypeOf,
  extensionOf,
  formatOfContentType,
  formatOfFileName,
  isImageFormat,
  MEDIA_LIMITS,
  type MediaFormat,
} from '#lib/storage/media/media-types.ts';
import type { DraftReference } from '../draft/draft.ts';
import { noteLanding } from '../draft/landed.ts';
import { AttachRefusal, attachRefusalOf, LOST } from './attach-refusal.ts';

type Attached = { id: string; contentType: string; durationMs: number | null; url: string };

function dataOf<T>(answer: ActionState<T>): T {
  if (answer.status === 'done' && answer.data !== undefined) return answer.data;
  const problem = answer.status === 'refused' ? (answer.problems?.[0]?.message ?? answer.message) : LOST;
  throw new AttachRefusal(problem);
}

const IMAGES = 'une image PNG, JPEG, WebP ou GIF';
const CLIPS = 'un clip mp4, mov ou webm';

/**
 * The format of a file, by its declared type, else by its name. Throws `AttachRefusal` for a format or a size that is not accepted, before anything
 * is sent.
 */
function readFormat(file: File, takesClips: boolean): { format: MediaFormat; isImage: boolean } {
  const format = formatOfContentType(file.type) ?? formatOfFileName(file.name);
  const isImage = format !== null && isImageFormat(format);
  const isClip = format !== null && contentTypeOf(format).startsWith('video/');
  if (format === null || (!isImage && !isClip))
    throw new AttachRefusal(
      `Ce type de fichier n’est pas accepté. Déposez ${takesClips ? `${IMAGES}, ou ${CLIPS}` : IMAGES}.`,
    );
  if (isClip && !takesClips)
    throw new AttachRefusal('Ce type de génération ne prend pas de clip. Déposez une image.');
  const most = isImage ? MEDIA_LIMITS.uploadedImageBytes : MEDIA_LIMITS.uploadedClipBytes;
  if (file.size > most)
    throw new AttachRefusal(
      `${isImage ? 'Cette image' : 'Ce clip'} pèse ${bytes(file.size)}, et ne doit pas dépasser ${bytes(most)}.`,
    );
  return { format, isImage };
}

/** Uploads a file: an image through the service, a clip directly to the store. Throws `AttachRefusal` with the sentence to show. */
export async function attachFile(
  file: File,
  to: { productId: string; takesClips: boolean },
  onProgress: (share: number) => void,
): Promise<Attached> {
  const { productId } = to;
  const { format, isImage } = readFormat(file, to.takesClips);
  try {
    if (isImage) {
      const form = new FormData();
      form.set('productId', productId);
      form.set('file', file);
      return dataOf(await sendImage({ status: 'idle' }, form));
    }
    return await sendClip(file, format, productId, onProgress);
  } catch (error) {
    throw attachRefusalOf(error);
  }
}

type Brought = { key: string; productId: string; takesClips: boolean; thumbnail: string | undefined };

/**
 * Uploads the file of a reference, and reports its progress, then its outcome. The outcome is also recorded, for a reference that left the draft
 * meanwhile. `thumbnail` is an object URL of the file, released after the upload.
 */
export async function bringIn(
  file: File,
  { key, thumbnail, ...to }: Brought,
  tell: (part: Partial<DraftReference>) => void,
): Promise<void> {
  const land = (part: Partial<DraftReference>) => {
    noteLanding(key, part);
    tell(part);
  };
  try {
    const attached = await attachFile(file, to, (progress) => tell({ progress }));
    const { id: ref, contentType, durationMs, url } = attached;
    land({
      ref,
      contentType,
      progress: 1,
      ...(durationMs === null ? {} : { durationMs }),
      ...(contentType.startsWith('image/') ? { thumbnail: url } : {}),
    });
    // Otherwise the page would keep the whole file in memory until it is closed.
    if (thumbnail) URL.revokeObjectURL(thumbnail);
  } catch (error) {
    land({ refusal: error instanceof AttachRefusal ? error.message : 'L’envoi n’a pas abouti.' });
  }
}

/** Uploads a signed PDF. Throws `AttachRefusal` with the sentence to show. */
export async function attachDocument(file: File, productId: string): Promise<{ id: string }> {
  if (file.size > MEDIA_LIMITS.uploadedImageBytes)
    throw new AttachRefusal(
      `Ce document pèse ${bytes(file.size)}, et ne doit pas dépasser ${bytes(MEDIA_LIMITS.uploadedImageBytes)}.`,
    );
  const form = new FormData();
  form.set('productId', productId);
  form.set('file', file);
  try {
    return dataOf(await sendDocument({ status: 'idle' }, form));
  } catch (error) {
    throw attachRefusalOf(error);
  }
}

async function sendClip(
  file: File,
  format: MediaFormat,
  productId: string,
  onProgress: (share: number) => void,
): Promise<Attached> {
  const { folder, storeApiUrl, isBucket } = dataOf(await clipTarget({ productId }));
  const name =
    foldAccents(file.name.replace(/\.[^.]*$/, ''))
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'clip';
  const pathname = `${folder}${name}.${extensionOf(format)}`;
  if (isBucket) {
    const url = await sendToBucket(file, { pathname, productId }, onProgress);
    return dataOf(await confirmClip({ productId, url }));
  }
  // Requested here, not by the store's client, which does not pass a refusal on.
  const { clientToken } = await askGrant<{ clientToken: string }>(file, { pathname, productId });
  const { put } = await loadBlobClient(storeApiUrl);
  const stored = await put(pathname, file, {
    access: 'private',
    token: clientToken,
    contentType: contentTypeOf(format),
    onUploadProgress: ({ percentage }) => onProgress(percentage / 100),
  });
  return dataOf(await confirmClip({ productId, url: stored.url }));
}
