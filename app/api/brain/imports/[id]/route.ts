import { after } from 'next/server';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';

export const maxDuration = 300;

/** Where an import is. One whose process died is taken up again by whoever looks and may write. */
export const GET = withMember({
  async handle(ctx, { path }) {
    const jobId = path.id ?? '';
    const job = await getImport(ctx, { jobId });
    if (job.stalled && hasPermission(ctx.actor, 'brain.write')) after(() => runImport(ctx, { jobId }));
    return { body: job };
  },
});
