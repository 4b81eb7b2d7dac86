import { readJson } from '#app/_cockpit/act.ts';
import { loadBlobClient } from '#app/_cockpit/sending/blob-client.ts';
import { isStoreRefusal, putFile } from '#app/_cockpit/sending/put-file.ts';
import { ApiError } from '#app/_ui/api-error.ts';
import type { ImportUploadGrant } from '#lib/storage/uploads/import-upload.ts';
import { formBytes } from './form-bytes.ts';

/** In bytes. Smaller imports are sent to the service; hosts limit request bodies to 4.5 MB. */
const DIRECT_FROM_BYTES = 4 * 1024 * 1024;

/**
 * Starts an import of a form's files, whatever their size: large ones are uploaded directly to the file store. `onProgress` receives the share
 * sent, 0 to 1, of large ones. Throws `ApiError`.
 */
export async function sendImport(
  spaceId: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<void> {
  const address = `/api/brain/spaces/${spaceId}/imports`;
  if (formBytes(form) < DIRECT_FROM_BYTES) {
    await readJson(address, { method: 'POST', body: await inMemory(form) });
    return;
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  const bytes = await encoded.blob();
  const headers = { 'content-type': 'application/json' };
  const grant = await readJson<ImportUploadGrant>(`${address}/direct`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ bytes: bytes.size }),
  });
  try {
    await toStore(grant, bytes, onProgress);
  } catch (error) {
    throw new ApiError(0, {
      code: 'network',
      message: isStoreRefusal(error)
        ? 'Le stockage a refusé cet envoi, rien n’a été importé. Réessayez, et prévenez l’exploitant du service si cela se répète.'
        : 'L’envoi a été interrompu, rien n’a été importé. Vérifiez votre réseau, puis réessayez.',
    });
  }
  await readJson(`${address}/direct`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ pathname: grant.pathname, contentType }),
  });
}

/**
 * A copy of the form whose files are in memory: a file that changed since it was chosen gives a clear error instead of a broken request. Throws
 * `ApiError`.
 */
async function inMemory(form: FormData): Promise<FormData> {
  const read = new FormData();
  try {
    // The name is passed apart: some browsers rewrite the slashes of a path in a `File`.
    for (const [name, value] of form)
      if (value instanceof File)
        read.append(name, new Blob([await value.arrayBuffer()], { type: value.type }), value.name);
      else read.append(name, value);
  } catch {
    throw new ApiError(0, {
      code: 'unreadable',
      message: 'Ces fichiers n’ont pas pu être lus. Choisissez-les de nouveau.',
    });
  }
  return read;
}

async function toStore(
  grant: ImportUploadGrant,
  bytes: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  if (grant.type === 's3.signed-address') return putFile(grant.url, grant.headers, bytes, onProgress);
  const { put } = await loadBlobClient(grant.storeApiUrl);
  await put(grant.pathname, bytes, {
    access: 'private',
    token: grant.clientToken,
    contentType: 'application/octet-stream',
    onUploadProgress: ({ percentage }) => onProgress(percentage / 100),
  });
}
