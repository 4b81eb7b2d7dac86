import { withFiles } from '#lib/http/files.ts';
import { withCron } from '#lib/http/with-cron.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { reapClients } from '#lib/oauth/clients/reap-clients.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';

/** The function's limit; the pass itself stops at four minutes. */
export const maxDuration = 300;

export const GET = withCron('retention', async (ctx) => {
  await purgeExpired(ctx);
  await reapClients(ctx);
  return runRetention(withFiles(ctx));
});
