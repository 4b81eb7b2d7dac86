/** The store answered, and did not take the file: the network is not at fault. */
export class StoreRefused extends Error {}

/** Whether an upload failed because the store refused it: our own `putFile`, or Vercel's client, whose messages begin with its name. */
export const isStoreRefusal = (error: unknown): boolean =>
  error instanceof StoreRefused || (error instanceof Error && error.message.startsWith('Vercel Blob:'));

/**
 * Uploads bytes to an address that the service signed, and reports the share sent, 0 to 1, which `fetch` does not. Rejects with
 * `StoreRefused` if the store refuses, with another error if the connection ends.
 */
export function putFile(
  url: string,
  headers: Record<string, string>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    sending.onload = () =>
      sending.status < 300 ? resolve() : reject(new StoreRefused(`the store answered ${sending.status}`));
    sending.onerror = () => reject(new Error('the connection ended'));
    sending.send(file);
  });
}
