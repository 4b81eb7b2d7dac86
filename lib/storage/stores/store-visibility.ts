import type { FilesPorts } from '../context.ts';

const PROBE = 'health/private';
const LIMIT_MS = 10_000;

/**
 * Whether anybody can read our files: requests one of them without credentials, and a bucket's list too. Throws when the store does not
 * answer; null without a store.
 */
export async function readStoreVisibility(
  files: FilesPorts,
  fetchUnsigned: typeof fetch,
): Promise<'private' | 'public' | null> {
  const { store, bucketAddress } = files;
  if (!store) return null;
  const asked: string[] = bucketAddress ? [`${bucketAddress}?list-type=2&max-keys=1`] : [];
  try {
    const file =
      (await store.head(PROBE)) ??
      (await store.put(PROBE, new TextEncoder().encode('private'), { contentType: 'text/plain' }));
    asked.push(file.url);
  } catch (error) {
    // A Blob store is made public or private once: a public one refuses what is put privately.
    if (error instanceof Error && /public (store|access)/i.test(error.message)) return 'public';
    throw error;
  }
  for (const address of asked) {
    const answer = await fetchUnsigned(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await answer.body?.cancel();
    if (answer.ok) return 'public';
  }
  return 'private';
}
