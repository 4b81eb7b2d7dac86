/** The shared image CDN: accepted for every product, so never a shop of one. */
export const SHARED_IMAGE_CDN = 'cdn.shopify.com';

/** Hosts of file stores end so (those that docs/deploy.md names): they are read by folder, never as a shop. */
const FILE_STORE_SUFFIXES = ['.vercel-storage.com', '.amazonaws.com', '.cloudflarestorage.com', '.scw.cloud'];

/** Whether a host belongs to a file store, ours or anybody’s: no product may declare it as its shop. */
export function isFileStoreHost(host: string): boolean {
  return FILE_STORE_SUFFIXES.some((suffix) => host.endsWith(suffix) || host === suffix.slice(1));
}
