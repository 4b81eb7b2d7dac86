/** The shared image CDN: accepted for every product, so never a shop of one. */
export const SHARED_IMAGE_CDN = 'cdn.shopify.com';

/** Hosts of file stores end so: they are read by folder, never as a shop. */
const FILE_STORE_SUFFIXES = ['.blob.vercel-storage.com', '.vercel-storage.com'];

/** Whether a host belongs to a file store, ours or anybody’s: no product may declare it as its shop. */
export function isFileStoreHost(host: string): boolean {
  return FILE_STORE_SUFFIXES.some((suffix) => host.endsWith(suffix) || host === suffix.slice(1));
}
