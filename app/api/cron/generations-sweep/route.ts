import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withCron } from '#lib/http/middleware/with-cron.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

// A scheduled job has no page to come from: what a sweep needs of the origin is nothing.
const HERE = new Request('http://localhost/api/cron/generations-sweep');

export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withCron('generations-sweep', (ctx) => sweepGenerations(withStudio(ctx, HERE))),
});
