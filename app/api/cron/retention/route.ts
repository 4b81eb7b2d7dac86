import { withCron } from '#lib/http/middleware/with-cron.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { postLater, sendAll } from '#lib/http/runtime/mailer.ts';
import { isNightMissed } from '#lib/http/runtime/night-missed.ts';
import { runNightly } from '#lib/http/runtime/nightly.ts';
import { retentionQuery, retentionSchema } from '#lib/storage/schemas.ts';

/** The function's limit: the night has one deadline half a minute before it (lib/http/runtime/nightly.ts), and names in its answer what it left. */
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCron(
    {
      id: 'runRetention',
      summary: 'Rétention de la nuit',
      tag: 'Tâches planifiées',
      job: 'retention',
      query: retentionQuery,
      answers: { 200: { description: 'Ce que la rétention a fait', schema: retentionSchema } },
    },
    async (ctx, { query }) => {
      if (query.if === 'missed' && !(await isNightMissed(ctx))) return { skipped: 'not-missed' };
      return runNightly(withFiles(ctx), { post: (mail) => postLater(mail, ctx.requestId), send: sendAll });
    },
  ),
});
