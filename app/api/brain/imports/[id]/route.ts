import { z } from 'zod';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { importSchema } from '#lib/brain/schemas/imports.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'getImport',
      summary: 'Où en est un import',
      description: 'Un import dont le processus est mort est repris par qui le regarde et peut écrire.',
      tag: 'Imports',
      dialect: 'brain',
      path: z.object({ id: z.string() }),
      answers: { 200: { description: 'L’import', schema: importSchema } },
      errors: ['not_found'],
    },
    async (ctx, { path }) => {
      const jobId = path.id;
      const job = await getImport(ctx, { jobId });
      if (job.stalled && canWriteIn(ctx.actor, job.spaceId))
        runLater('import.failed', () => runImport(ctx, { jobId }), { jobId });
      return { body: job };
    },
  ),
});
