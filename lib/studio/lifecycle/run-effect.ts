import { sql } from 'kysely';
import type { ClosedBy } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { storedArtifacts } from '../closing/recover-files.ts';
import { listStoredFiles } from '../closing/store-files.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { completedJob } from '../jobs/job-outcome.ts';
import { readJobStatus } from '../jobs/read-status.ts';
import { renderOutcome } from '../jobs/render-outcome.ts';
import { CLOSING_LEASE_MS, JOB_SWEEP_AFTER_MS } from '../limits.ts';
import type { Decision, Event } from './decide.ts';

/** A decision that needs something from outside before a row can be closed or left. */
export type Effect = Exclude<Decision, { next: 'leave' | 'close' }>;

/**
 * Asks the provider, the runner or the store what a decision needs, once. Their failures are returned as events; throws
 * what the store throws.
 */
export async function runEffect(
  ctx: StudioContext,
  row: Generation,
  effect: Effect,
  by: ClosedBy,
): Promise<Event> {
  const { providers, store } = ctx.studio;
  switch (effect.next) {
    case 'ask-provider': {
      const status = await readJobStatus(ctx, row);
      if (status.outcome === 'failed') {
        ctx.log.warn('generation.status_unreadable', { generationId: row.id, reason: status.reason });
        // A requested delay applies to readers; the sweep keeps its own pace.
        const { retryAfterMs: waitMs = 0 } = status;
        if (waitMs > 0) await holdReaders(ctx, row, Math.min(waitMs, JOB_SWEEP_AFTER_MS));
      }
      if (status.outcome === 'pending') logUnknownStatus(ctx, row, status.unknownStatus);
      return { type: 'job-status', status };
    }
    case 'fetch-result': {
      // While a reader or a webhook fetches the file, other readers only read the row, so that it is fetched once.
      if (by === 'read' || by === 'webhook') await holdReaders(ctx, row, CLOSING_LEASE_MS);
      const outcome = await completedJob(ctx, row, effect.status);
      if (outcome.result !== 'later') return { type: 'job-outcome', outcome };
      ctx.log.warn('generation.file_unreadable', { generationId: row.id, reason: outcome.reason });
      return { type: 'no-answer', reason: outcome.reason };
    }
    case 'ask-runner': {
      const { runId } = effect;
      return { type: 'run-status', runId, status: await providers.render.status(runId) };
    }
    case 'read-run':
      if (!store) return { type: 'no-answer', reason: 'no file store' };
      return {
        type: 'run-outcome',
        outcome: await renderOutcome(store, row, effect.report, ctx.clock.now()),
      };
    case 'search-store':
      if (row.kind !== 'RENDER') return { type: 'stored-files', files: await storedArtifacts(ctx, row) };
      return { type: 'stored-files', files: store ? await listStoredFiles(store, row.id) : [] };
  }
}

/** Unknown statuses that this process has logged: a job is read every few seconds, and each read gives the same one. */
const logged = new Set<string>();
const MAX_LOGGED = 50;

/** Logs a status that we do not know, once for a kind and a word. The job counts as running: its time limit ends it. */
function logUnknownStatus(ctx: StudioContext, row: Generation, status: string | undefined): void {
  const word = status && `${row.kind} ${status}`;
  if (!word || logged.has(word) || logged.size >= MAX_LOGGED) return;
  logged.add(word);
  ctx.log.warn('generation.status_unknown', { generationId: row.id, status });
}

const hold = prepared('studio.hold_readers', (db, p: Params<{ id: string; until: Date }>) =>
  db
    .updateTable('Generation')
    .set((eb) => ({
      readableAt: sql<Date>`greatest(${eb.ref('readableAt')}, ${p.until}::timestamptz)`,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'SUBMITTED'),
);

/** Keeps readers from asking the provider for this long; a longer existing delay is kept. */
async function holdReaders(ctx: StudioContext, row: Generation, forMs: number): Promise<void> {
  const until = new Date(ctx.clock.now().getTime() + forMs);
  await hold.run(ctx.kysely, { id: row.id, until });
}
