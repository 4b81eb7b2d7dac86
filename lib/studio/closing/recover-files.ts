import type { FileStore } from '#lib/storage/file-store.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { probeMedia } from '#lib/storage/media/probe.ts';
import { readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { withoutMark } from '#lib/storage/media/provenance/svg-carrier.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { MAX_RESULT_BYTES } from '../limits.ts';
import { checkSvg } from '../vector/svg-allow-list.ts';
import { listStoredFiles } from './store-files.ts';

/**
 * What the store holds of a generation whose request died, each file measured again by its bytes: the size and duration that
 * the request knew went with it. Nothing without a store. Throws when the store does not answer.
 */
export async function storedArtifacts(ctx: StudioContext, row: Generation): Promise<Artifact[]> {
  const { store } = ctx.studio;
  if (!store) return [];
  const measured: Artifact[] = [];
  for (const artifact of await listStoredFiles(store, row.id))
    measured.push({ ...artifact, ...(await measure(store, artifact, row.accountId)) });
  return measured;
}

/** What a row says of its file in its params too, from files found again. */
export function recoveredFacts(row: Generation, artifacts: readonly Artifact[]): Partial<Params> {
  const durationMs = artifacts[0]?.durationMs;
  if (durationMs === undefined) return {};
  return row.kind === 'VOICE' ? { voiceMs: durationMs } : { durationMs };
}

type Measures = Pick<Artifact, 'width' | 'height' | 'durationMs' | 'provenance'>;

/** Nothing for a file that is gone, too large, or no medium that can be read: it is kept all the same. */
async function measure(
  store: FileStore,
  { pathname, contentType, bytes }: Artifact,
  owner: string,
): Promise<Measures> {
  if (bytes > MAX_RESULT_BYTES) return {};
  const read = await store.read(pathname, { maxBytes: MAX_RESULT_BYTES });
  if (!read) return {};
  if (contentType === 'image/svg+xml') {
    // Our own mark is not a drawing: the allow-list knows none.
    const verdict = checkSvg(withoutMark(new TextDecoder().decode(read.bytes)));
    const provenance = readProvenance(read.bytes, contentType);
    return verdict.ok
      ? { width: Math.round(verdict.width), height: Math.round(verdict.height), provenance }
      : {};
  }
  const provenance = readProvenance(read.bytes, contentType);
  try {
    const probed = await probeMedia(read.bytes, { maxBytes: MAX_RESULT_BYTES, owner });
    if (probed.kind === 'image') return { width: probed.width, height: probed.height, provenance };
    const { width, height, durationMs } = probed;
    return { durationMs, ...(width && height ? { width, height } : {}), provenance };
  } catch (error) {
    if (error instanceof MediaRefusal) return { provenance };
    throw error;
  }
}
