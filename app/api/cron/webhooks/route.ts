import { withCron } from '#lib/http/middleware/with-cron.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withWebhooks } from '#lib/http/webhooks/ports.ts';
import { runWebhooks } from '#lib/webhooks/delivery/run-webhooks.ts';
import { webhooksReportSchema } from '#lib/webhooks/schemas.ts';

export const dynamic = 'force-dynamic';
/** A pass begins no sending after 45 s, one takes 5 s at most, and so do the notices after them. */
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCron(
    {
      id: 'deliverWebhooks',
      summary: 'Envoi des événements aux adresses abonnées',
      tag: 'Tâches planifiées',
      job: 'webhooks',
      answers: { 200: { description: 'Ce que l’envoi a fait', schema: webhooksReportSchema } },
    },
    (ctx) => runWebhooks(withWebhooks(ctx)),
  ),
});
