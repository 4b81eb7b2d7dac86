import { withCron } from '#lib/http/middleware/with-cron.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { runExports } from '#lib/storage/offboarding/run-export.ts';
import { sweepReportSchema } from '#lib/studio/schemas.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCron(
    {
      id: 'sweepGenerations',
      summary: 'Relève des générations ouvertes',
      tag: 'Tâches planifiées',
      job: 'generations-sweep',
      answers: { 200: { description: 'Ce que la relève a fait', schema: sweepReportSchema } },
    },
    (ctx) => {
      // Exports go on meanwhile, a slice a pass: what is cut is taken up by the next one.
      runLater('account.export_failed', () => runExports(withFiles(ctx)));
      return sweepGenerations(withStudio(ctx));
    },
  ),
});
