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
  await write(url, headers, file, onProgress);
  return url.split('?', 1)[0] as string;
}

/** `fetch` tells nothing of what is already sent. */
function write(
  url: string,
  headers: Record<string, string>,
  file: File,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sending.onload = () =>
      sending.status < 300 ? resolve() : reject(new Error(`the store answered ${sending.status}`));
    sending.onerror = () => reject(new Error('the connection ended'));
    sending.send(file);
  });
}
