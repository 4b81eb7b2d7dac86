import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { measureStored } from './measure-stored.ts';
import { listStoredFiles } from './store-files.ts';

/**
 * The stored files of a generation whose request died, measured again from their bytes, because the request's own measures are lost. Empty
 * without a store. Throws when the store does not answer.
 */
export async function storedArtifacts(ctx: StudioContext, row: Generation): Promise<Artifact[]> {
  const { store } = ctx.studio;
  if (!store) return [];
  const measured: Artifact[] = [];
  for (const artifact of await listStoredFiles(store, row.id))
    measured.push({ ...artifact, ...(await measureStored(store, artifact, row.accountId)) });
  return measured;
}

/** What a row says of its file in its params too, from files found again. */
export function recoveredFacts(row: Generation, artifacts: readonly Artifact[]): Partial<Params> {
  const durationMs = artifacts[0]?.durationMs;
  if (durationMs === undefined) return {};
  return row.kind === 'VOICE' ? { voiceMs: durationMs } : { durationMs };
}
