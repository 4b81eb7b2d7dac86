import { FREE_PRODUCT } from '#lib/products/types.ts';

/** Where a store says which database it belongs to: in no folder, so that nothing that lists or deletes files meets it. */
export const OWNER_MARK = 'atelier-database.json';

/**
 * Where files lie: `generations/<generation>/`, `products/<product>/`, `references/<product or libre>/<account>/`, `imports/<account>/`,
 * `exports/<account>/`, `avatars/`. What a member brings carries the account in its path, so that a path alone says whose it is.
 */
export function referenceFolder(accountId: string, productId: string): string {
  return `references/${productId}/${accountId}/`;
}

/** Where the files of an import wait to be read, once, by the member who sent them straight to the store; then they go. */
export function importFolder(accountId: string, memberId?: string): string {
  return memberId === undefined ? `imports/${accountId}/` : `imports/${accountId}/${memberId}/`;
}

/**
 * How the rows of the former application's files are named: no folder of our store has this name, so that no path of theirs can be one of ours,
 * nor one of another account's.
 */
export function importedFolder(accountId: string): string {
  return `imported/${accountId}/`;
}

/** Where every file of one generation lies, and nothing else: what a runner may publish into. */
export function generationFolder(generationId: string): string {
  return `generations/${generationId}/`;
}

/** What a thumbnail's name adds to its file's, beside which it lies. */
export const THUMBNAIL_SUFFIX = '.320.webp';

/** Where the thumbnail of a file lies: beside it, so that whoever lists a folder finds both. */
export function thumbnailPathname(pathname: string): string {
  return `${pathname}${THUMBNAIL_SUFFIX}`;
}

/** Folders whose store addresses may serve as references of a product: its own and the free ones (S-154). */
export function productFolders(productId: string): string[] {
  return [...new Set([productId, FREE_PRODUCT])]
    .flatMap((id) => [`products/${id}/`, `references/${id}/`])
    .concat(`${FREE_PRODUCT}/`);
}

/** The pathname itself when every segment names something: no empty one, no `.` or `..`, nothing that hides another path; else null. */
export function plainPathname(pathname: string): string | null {
  const isPlain =
    pathname.length <= 950 &&
    !/[%\\\p{Cc}]/u.test(pathname) &&
    pathname.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isPlain ? pathname : null;
}

/**
 * The pathname that an encoded path (the part of an address after its prefix) names, or null when it hides another one:
 * an encoded slash, a dot segment, a second layer of encoding.
 */
export function decodePathname(encoded: string): string | null {
  try {
    const parts = encoded.split('/').map(decodeURIComponent);
    if (parts.some((part) => part.includes('/'))) return null;
    return plainPathname(parts.join('/'));
  } catch {
    return null;
  }
}

/** What tells an address of our own store. */
export type StoreAddresses = {
  storeToken: string | null;
  storeApiUrl: string | null;
  bucketAddress?: string | null;
};

/**
 * The pathname that an address of our own private store names; null for any other address. The cloud's form is
 * `https://<store>.private.blob.vercel-storage.com/<path>`, the embedded one's `<origin>/files/<store>/private/<path>`,
 * a bucket's what its address begins with.
 */
export function pathnameOfStoreUrl(address: string, ports: StoreAddresses): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return null;
  if (ports.bucketAddress) {
    const bucket = new URL(ports.bucketAddress);
    return url.origin === bucket.origin && url.pathname.startsWith(bucket.pathname)
      ? decodePathname(url.pathname.slice(bucket.pathname.length))
      : null;
  }
  const storeId = /^vercel_blob_rw_([A-Za-z0-9]+)_/.exec(ports.storeToken ?? '')?.[1];
  if (!storeId) return null;
  if (
    url.protocol === 'https:' &&
    url.port === '' &&
    url.hostname === `${storeId.toLowerCase()}.private.blob.vercel-storage.com`
  )
    return decodePathname(url.pathname.slice(1));
  const prefix = `/files/${storeId}/private/`;
  const isEmbedded = ports.storeApiUrl !== null && url.origin === new URL(ports.storeApiUrl).origin;
  return isEmbedded && url.pathname.startsWith(prefix)
    ? decodePathname(url.pathname.slice(prefix.length))
    : null;
}
