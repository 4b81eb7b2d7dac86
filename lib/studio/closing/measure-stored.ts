import type { FileStore } from '#lib/storage/file-store.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeMedia } from '#lib/storage/media/probe.ts';
import { readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { withoutMark } from '#lib/storage/media/provenance/svg-carrier.ts';
import type { Artifact } from '../generation/params.ts';
import { MAX_RESULT_BYTES } from '../limits.ts';
import { checkSvg } from '../vector/svg-allow-list.ts';

type Measures = Pick<Artifact, 'width' | 'height' | 'durationMs' | 'provenance'>;

/** Measures of a stored file, from its bytes. None for one that is gone, too large, or not a readable medium: it is kept all the same. */
export async function measureStored(
  store: FileStore,
  { pathname, contentType, bytes }: Artifact,
  owner: string,
): Promise<Measures> {
  if (bytes > MAX_RESULT_BYTES) return {};
  const read = await store.read(pathname, { maxBytes: MAX_RESULT_BYTES });
  return read ? measureBytes(read.bytes, contentType, owner) : {};
}

/** The same facts of bytes that are in memory. */
export async function measureBytes(
  content: Uint8Array,
  contentType: string,
  owner: string,
): Promise<Measures> {
  if (contentType === 'image/svg+xml') {
    // Without our own provenance mark, which the allow-list does not contain.
    const verdict = checkSvg(withoutMark(new TextDecoder().decode(content)));
    const provenance = readProvenance(content, contentType);
    return verdict.ok
      ? { width: Math.round(verdict.width), height: Math.round(verdict.height), provenance }
      : {};
  }
  const provenance = readProvenance(content, contentType);
  try {
    const probed = await probeMedia(content, { maxBytes: MAX_RESULT_BYTES, owner });
    if (probed.kind === 'image') return { width: probed.width, height: probed.height, provenance };
    const { width, height, durationMs } = probed;
    return { durationMs, ...(width && height ? { width, height } : {}), provenance };
  } catch (error) {
    if (error instanceof MediaRefusal) return { provenance };
    throw error;
  }
}
