import { putFile } from '#app/_cockpit/sending/put-file.ts';

type Granted = { type: string; url: string; headers: Record<string, string> };

/**
 * Sends one file straight to a bucket: the service signs an address for that name, type and size, the browser writes there. Gives the
 * file's address, without what signed it. Throws when either refuses or the connection ends.
 */
export async function sendToBucket(
  file: File,
  to: { pathname: string; productId: string },
  onProgress: (share: number) => void,
): Promise<string> {
  const clientPayload = JSON.stringify({ productId: to.productId, bytes: file.size });
  const answer = await fetch('/api/references/upload', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'blob.generate-client-token',
      payload: { pathname: to.pathname, clientPayload },
    }),
  });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
  const { url, headers } = (await answer.json()) as Granted;
  await putFile(url, headers, file, onProgress);
  return url.split('?', 1)[0] as string;
}
