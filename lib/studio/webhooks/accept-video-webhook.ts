import { isOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import { PROVIDER_JOB_KINDS } from '../generation/states.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';

type VideoWebhook = {
  generationId: string;
  /** Exactly as received. */
  rawBody: string;
  signature: string | null;
};

/**
 * `accepted`: verified; answer first, then run `settle`. `closed`: from the provider, and the row is closed, or delivered with its debit
 * pending; nothing to do. `not-ready`: the secret is not stored yet, the sender must retry. `rejected`: not authenticated; logged.
 */
type WebhookVerdict =
  | { verdict: 'accepted'; settle: () => Promise<void> }
  | { verdict: 'closed' }
  | { verdict: 'not-ready' }
  | { verdict: 'rejected'; reason: string };

const findRow = prepared('studio.webhook_row', (db, p: Params<{ id: string }>) =>
  db
    .selectFrom('Generation')
    .select([...GENERATION_COLUMNS, 'providerWebhookSecret as secret'])
    .where('id', '=', p.id)
    .where('kind', 'in', PROVIDER_JOB_KINDS),
);

/**
 * Verifies a video's callback with the row's own secret, which never leaves this function, and a lipsync's with the service's. An
 * unauthenticated caller learns nothing of the row, not even that it is closed.
 */
export async function acceptVideoWebhook(ctx: StudioContext, input: VideoWebhook): Promise<WebhookVerdict> {
  if (!input.signature) return reject(ctx, input, 'unsigned');
  const found = await findRow.first(ctx.kysely, { id: input.generationId });
  if (!found) return reject(ctx, input, 'unknown-generation');
  const { secret, ...columns } = found;
  const row = readGeneration(columns);
  if (row.state === 'STARTING') return { verdict: 'not-ready' };
  const isOver = !isOpenState(row.state);
  if (isOver && !secret && isNamedJob(row, input)) return { verdict: 'closed' };
  const { providers } = ctx.studio;
  const { rawBody, signature } = input;
  const call = { rawBody, signature, jobId: row.providerJobId ?? '' };
  const isLipsync = row.kind === 'LIPSYNC';
  if (isLipsync ? !row.params.webhook : !secret) return reject(ctx, input, 'not-registered');
  const event = isLipsync
    ? providers.lipsync.parseWebhook(call)
    : providers.video.parseWebhook({ ...call, secret: secret ?? '' });
  if (event.outcome === 'rejected') return reject(ctx, input, event.reason);
  // Already delivered, with only its debit pending: no later message of the provider takes the file back.
  if (isOver || row.chargePending) return { verdict: 'closed' };
  return {
    verdict: 'accepted',
    settle: async () => {
      await advanceGeneration(ctx, row, { type: 'visit' }, 'webhook');
    },
  };
}

/**
 * Whether a call names the job of a video whose secret was deleted at its closing: only its provider, and members who can read the row, know
 * that name. It is the only way left to recognise a repeated delivery.
 */
function isNamedJob({ kind, providerJobId }: Generation, { rawBody }: VideoWebhook): boolean {
  return kind !== 'LIPSYNC' && Boolean(providerJobId) && rawBody.includes(JSON.stringify(providerJobId));
}

function reject(ctx: StudioContext, input: VideoWebhook, reason: string): WebhookVerdict {
  ctx.log.warn('video.webhook.rejected', { generationId: input.generationId.slice(0, 40), reason });
  return { verdict: 'rejected', reason };
}
