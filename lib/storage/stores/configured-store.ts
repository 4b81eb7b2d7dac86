import type { FilesPorts } from '../context.ts';
import { vercelBlobStore } from '../file-store.ts';
import { bucketAddress, type S3Variables, s3Options } from './s3-options.ts';
import { s3Store } from './s3-store.ts';

/** The variables that say which store is used. */
export type StoreVariables = S3Variables & {
  BLOB_READ_WRITE_TOKEN?: string | undefined;
  VERCEL_BLOB_API_URL?: string | undefined;
  SERVICE_PUBLIC_URL?: string | undefined;
};

/** The file store that a configuration names, a bucket of S3, a Vercel Blob store, or none, and the address by which it knows the service that uses it. */
export function configuredStore(source: StoreVariables): FilesPorts {
  const origin = originOf(source.SERVICE_PUBLIC_URL);
  const s3 = s3Options(source);
  if (s3)
    return {
      store: s3Store(s3),
      storeToken: null,
      storeApiUrl: null,
      bucketAddress: bucketAddress(s3),
      origin,
    };
  const token = source.BLOB_READ_WRITE_TOKEN?.trim() || null;
  const storeApiUrl = source.VERCEL_BLOB_API_URL?.trim() || null;
  return {
    store: token ? vercelBlobStore({ token }) : null,
    storeToken: token,
    storeApiUrl,
    origin: isEmbedded(storeApiUrl) ? null : origin,
  };
}

/** As browsers say it, whoever reads the variable and however it is written. */
function originOf(address = ''): string | null {
  const url = URL.parse(address.trim());
  return url && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/**
 * The embedded store lies in a folder of this machine, beside its database: where the service is reached today, a port, a tunnel, another
 * network, says nothing of whose it is.
 */
function isEmbedded(storeApiUrl: string | null): boolean {
  return storeApiUrl?.startsWith('http://127.0.0.1:') === true;
}
