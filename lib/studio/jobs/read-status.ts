import type { JobStatus, LipsyncCompleted, Providers, VideoCompleted } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { withProvidersOf } from './providers-of.ts';

export type JobCompleted = VideoCompleted | LipsyncCompleted;

type Reads = WeakMap<Providers, Map<string, number>>;

// One for the process, as the services are: each of the server’s bundles holds a copy of this module.
const shared = globalThis as { atelierStatusReads?: Reads };
shared.atelierStatusReads ??= new WeakMap();
/** How many reads of each row are under way in this process, by the services that were asked. */
const underWay = shared.atelierStatusReads;

/** One read of the job at its provider. The row carries what the start answered; without it there is nothing to read. */
export async function readJobStatus(ctx: StudioContext, row: Generation): Promise<JobStatus<JobCompleted>> {
  const { providers } = ctx.studio;
  const reads = underWay.get(providers) ?? new Map<string, number>();
  underWay.set(providers, reads);
  reads.set(row.id, (reads.get(row.id) ?? 0) + 1);
  try {
    return await askProvider(providers, row);
  } finally {
    const others = (reads.get(row.id) ?? 1) - 1;
    if (others > 0) reads.set(row.id, others);
    else reads.delete(row.id);
  }
}

/** Whether this process is already waiting for the job's status: the answer may contain the whole video and take a minute. */
export function isBeingRead(ctx: StudioContext, row: Generation): boolean {
  return underWay.get(withProvidersOf(ctx, row).studio.providers)?.has(row.id) ?? false;
}

function askProvider(providers: Providers, row: Generation): Promise<JobStatus<JobCompleted>> {
  const operation: unknown = JSON.parse(row.providerOperation ?? 'null');
  if (row.kind === 'LIPSYNC') return providers.lipsync.status({ operation });
  return providers.video.status({ operation, modelId: row.modelId ?? '' });
}
