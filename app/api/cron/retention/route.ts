import { withCron } from '#lib/http/middleware/with-cron.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { runNightly } from '#lib/http/runtime/nightly.ts';
import { retentionSchema } from '#lib/storage/schemas.ts';

/** The function's limit; the bin takes ten seconds before, the pass itself stops at four minutes, what is tidied after it takes 20 s and four short statements. */
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCron(
    {
      id: 'runRetention',
      summary: 'Rétention de la nuit',
      tag: 'Tâches planifiées',
      job: 'retention',
      answers: { 200: { description: 'Ce que la rétention a fait', schema: retentionSchema } },
    },
    (ctx) => runNightly(withFiles(ctx), (mail) => postLater(mail, ctx.requestId)),
  ),
});
