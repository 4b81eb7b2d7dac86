import type { JobStatus, LipsyncCompleted, VideoCompleted } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';

export type JobCompleted = VideoCompleted | LipsyncCompleted;

/** One read of the job at its provider. The row carries what the start answered; without it there is nothing to read. */
export async function readJobStatus(ctx: StudioContext, row: Generation): Promise<JobStatus<JobCompleted>> {
  const operation: unknown = JSON.parse(row.providerOperation ?? 'null');
  if (row.kind === 'LIPSYNC') return ctx.studio.providers.lipsync.status({ operation });
  return ctx.studio.providers.video.status({ operation, modelId: row.modelId ?? '' });
}
