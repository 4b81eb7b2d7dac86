const STORE_ADDRESS = 'VERCEL_BLOB_API_URL';

/**
 * The Blob store's client. It reads the store's address from the environment: in a browser the bundle's own, which only the bundle can
 * write. As it loads it chooses how to send: streams need HTTP/2, and only under the name of localhost does it see that there is none.
 */
export async function loadBlobClient(storeApiUrl: string | null) {
  if (storeApiUrl)
    process.env[STORE_ADDRESS] = storeApiUrl.startsWith('http:') ? 'http://localhost' : storeApiUrl;
  const client = await import('@vercel/blob/client');
  if (storeApiUrl) process.env[STORE_ADDRESS] = storeApiUrl;
  return client;
}
