import { putFile } from '#app/_cockpit/sending/put-file.ts';
import { post } from '../../journal/api.ts';

type Destination = { pathname: string; productId: string };

/** Asks the service to let one file of that name and size be sent straight to its store. Throws `ApiError` with its sentence when it refuses. */
export function askGrant<T>(file: File, { pathname, productId }: Destination): Promise<T> {
  const clientPayload = JSON.stringify({ productId, bytes: file.size });
  return post('/api/references/upload', {
    type: 'blob.generate-client-token',
    payload: { pathname, clientPayload, multipart: false },
  });
}

/**
 * Sends one file straight to a bucket: the service signs an address for that name, type and size, the browser writes there. Gives the
 * file's address, without what signed it. Throws when either refuses or the connection ends.
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
