import { clipTarget, confirmClip, sendImage } from '#app/(cockpit)/creer/actions.ts';
import type { ActionState } from '#lib/http/action-state.ts';

export type Attached = { id: string; contentType: string; durationMs: number | null; url: string };

const IMAGE_BYTES = 4 * 1024 * 1024;
const LOST = 'L’envoi a été interrompu. Rien n’a été débité : vérifiez votre réseau, puis recommencez.';

/** A refusal to show on the reference itself. */
export class AttachRefusal extends Error {}

function dataOf<T>(answer: ActionState<T>): T {
  if (answer.status === 'done' && answer.data !== undefined) return answer.data;
  const problem = answer.status === 'refused' ? (answer.problems?.[0]?.message ?? answer.message) : LOST;
  throw new AttachRefusal(problem);
}

/** Brings one file in: an image through the service, a clip straight to the store. Throws `AttachRefusal` with the sentence to show. */
export async function attachFile(
  file: File,
  productId: string,
  onProgress: (share: number) => void,
): Promise<Attached> {
  try {
    if (file.type.startsWith('image/')) {
      if (file.size > IMAGE_BYTES) throw new AttachRefusal('Cette image dépasse 4 Mo.');
      const form = new FormData();
      form.set('productId', productId);
      form.set('file', file);
      return dataOf(await sendImage({ status: 'idle' }, form));
    }
    return await sendClip(file, productId, onProgress);
  } catch (error) {
    if (error instanceof AttachRefusal) throw error;
    throw new AttachRefusal(LOST);
  }
}

async function sendClip(
  file: File,
  productId: string,
  onProgress: (share: number) => void,
): Promise<Attached> {
  const { folder, maxBytes, storeApiUrl } = dataOf(await clipTarget({ productId }));
  if (file.size > maxBytes) throw new AttachRefusal('Ce fichier dépasse 50 Mo.');
  // The SDK reads the store's address from the environment, which a browser has not.
  const shared = globalThis as { process?: { env?: Record<string, string> } };
  if (storeApiUrl) {
    shared.process ??= {};
    shared.process.env = { ...shared.process.env, VERCEL_BLOB_API_URL: storeApiUrl };
  }
  const { upload } = await import('@vercel/blob/client');
  const extension = /\.([A-Za-z0-9]{2,5})$/.exec(file.name)?.[1] ?? 'mp4';
  const name =
    file.name
      .replace(/\.[^.]*$/, '')
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'clip';
  const stored = await upload(`${folder}${name}.${extension}`, file, {
    access: 'private',
    handleUploadUrl: '/api/references/upload',
    clientPayload: JSON.stringify({ productId }),
    contentType: file.type,
    onUploadProgress: ({ percentage }) => onProgress(percentage / 100),
  });
  return dataOf(await confirmClip({ productId, url: stored.url }));
}
