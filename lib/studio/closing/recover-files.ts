import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { LISTED_WITHIN_MS } from '../limits.ts';
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

/** A row is debited, and the store lists none of its files yet: completed now, it would never name them. */
class FilesNotListed extends Error {
  override readonly name = 'FilesNotListed';
}

const findDebit = prepared('studio.debited_at', (db, p: Parameters<{ generationId: string }>) =>
  db
    .selectFrom('LedgerLine')
    .select('at')
    .where('generationId', '=', p.generationId)
    .where('kind', '=', 'SETTLE'),
);

/**
 * The stored files of a row whose debit is written: they were stored before it. Throws `FilesNotListed` without a store, and while it shows none
 * and the debit is younger than LISTED_WITHIN_MS (a store may list late); after that, none is logged as an error. Throws when the store does not
 * answer.
 */
export async function debitedArtifacts(ctx: StudioContext, row: Generation): Promise<Artifact[]> {
  const artifacts = await storedArtifacts(ctx, row);
  if (artifacts.length > 0) return artifacts;
  const debit = await findDebit.first(ctx.kysely, { generationId: row.id });
  const sinceMs = debit ? ctx.clock.now().getTime() - debit.at.getTime() : LISTED_WITHIN_MS;
  if (!ctx.studio.store || sinceMs < LISTED_WITHIN_MS) throw new FilesNotListed();
  ctx.log.error('generation.files_missing', { generationId: row.id });
  return [];
}

/** What a row says of its file in its params too, from files found again. */
export function recoveredFacts(row: Generation, artifacts: readonly Artifact[]): Partial<Params> {
  const durationMs = artifacts[0]?.durationMs;
  if (durationMs === undefined) return {};
  return row.kind === 'VOICE' ? { voiceMs: durationMs } : { durationMs };
}
