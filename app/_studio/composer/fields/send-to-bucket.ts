import { putFile } from '#app/_cockpit/sending/put-file.ts';
import { post } from '../../journal/api.ts';

type Destination = { pathname: string; productId: string };

/** Asks the service for permission to upload a file of this name and size directly to its store. Throws `ApiError` if it refuses. */
export function askGrant<T>(file: File, { pathname, productId }: Destination): Promise<T> {
  const clientPayload = JSON.stringify({ productId, bytes: file.size });
  return post('/api/references/upload', {
    type: 'blob.generate-client-token',
    payload: { pathname, clientPayload, multipart: false },
  });
}

/**
 * Uploads a file directly to a bucket: the service signs an address for its name, type and size, and the browser writes there. Returns the file's
 * address without the signature. Throws if the service or the bucket refuses, or if the connection is lost.
 */
export async function sendToBucket(
  file: File,
  to: Destination,
  onProgress: (share: number) => void,
): Promise<string> {
  const { url, headers } = await askGrant<{ url: string; headers: Record<string, string> }>(file, to);
  await putFile(url, headers, file, onProgress);
  return url.split('?', 1)[0] as string;
}
