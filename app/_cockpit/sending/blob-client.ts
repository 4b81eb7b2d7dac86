const STORE_ADDRESS = 'VERCEL_BLOB_API_URL';

/**
 * The client of the Blob store. It reads the store's address from the environment of the bundle, which only the bundle can write. As it loads it
 * decides whether to stream: streams need HTTP/2, and it recognises a store without it only by the name localhost.
 */
export async function loadBlobClient(storeApiUrl: string | null) {
  if (storeApiUrl)
    process.env[STORE_ADDRESS] = storeApiUrl.startsWith('http:') ? 'http://localhost' : storeApiUrl;
  const client = await import('@vercel/blob/client');
  if (storeApiUrl) process.env[STORE_ADDRESS] = storeApiUrl;
  return client;
}
