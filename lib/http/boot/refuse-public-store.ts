import { faultFields } from '#lib/core/faults.ts';
import { type Logger, stdoutLogger } from '#lib/core/log.ts';
import type { FilesPorts } from '#lib/storage/context.ts';
import { configuredStore, type StoreVariables } from '#lib/storage/stores/configured-store.ts';
import { readStoreVisibility } from '#lib/storage/stores/store-visibility.ts';

/** Anybody who knows a file's address can read it. */
class PublicStore extends Error {
  constructor() {
    super(
      'Le magasin de fichiers est public\u00a0: n’importe qui peut y lire. Le seau (S3_BUCKET) doit être privé, sans politique ni accès public\u00a0; un magasin Vercel Blob se crée avec l’accès «\u00a0private\u00a0».',
    );
    this.name = 'PublicStore';
  }
}

/** Throws `PublicStore` where anybody can read files. A store that does not answer stops nothing here: `/api/health` reports it. */
export async function refusePublicStore(
  files: FilesPorts,
  deps: { log: Logger; fetchUnsigned: typeof fetch },
): Promise<void> {
  const visibility = await readStoreVisibility(files, deps.fetchUnsigned).catch((error: unknown) => {
    deps.log.warn('boot.store_unknown', faultFields(error));
    return null;
  });
  if (visibility === 'public') throw new PublicStore();
}

/** The same at boot, for the store of the configuration. */
export async function refusePublicStoreAtBoot(source: StoreVariables): Promise<void> {
  await refusePublicStore(configuredStore(source), { log: stdoutLogger, fetchUnsigned: fetch });
}
