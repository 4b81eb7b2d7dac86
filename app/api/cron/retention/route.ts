import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { withCron } from '#lib/http/middleware/with-cron.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { reapClients } from '#lib/oauth/clients/reap-clients.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';

/** The function's limit; the pass itself stops at four minutes, what is tidied after it takes 20 s and four short statements. */
export const maxDuration = 300;

export const GET = withCron('retention', async (ctx) => {
  try {
    return await runRetention(withFiles(ctx));
  } finally {
    await aside(ctx, 'purge-expired', purgeExpired);
    await aside(ctx, 'reap-clients', reapClients);
  }
});

/** Work of the same night that has nothing to do with files: its failure is told and costs retention nothing. */
async function aside(
  ctx: Context<SystemActor>,
  task: string,
  run: (ctx: Context<SystemActor>) => Promise<unknown>,
): Promise<void> {
  try {
    await run(ctx);
  } catch (error) {
    ctx.log.error('cron.aside_failed', { task, error: error instanceof Error ? error.name : 'unknown' });
  }
}
