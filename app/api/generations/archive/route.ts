import { parisDay } from '#lib/core/text/paris-day.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { zipGenerations } from '#lib/storage/offboarding/zip-generations.ts';
import { archiveQuery } from '#lib/storage/schemas.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'downloadGenerations',
      summary: 'Les fichiers de plusieurs générations',
      description: 'Un zip des fichiers de 100 générations au plus, 1 Gio en tout.',
      tag: 'Fichiers',
      dialect: 'studio',
      permission: 'generate',
      query: archiveQuery,
      answers: { 200: { description: 'Le zip', contentType: 'application/zip' } },
      errors: ['not_found', 'not_configured'],
    },
    async (ctx, { query, request }) => {
      const body = await zipGenerations(withFiles(ctx), { generationIds: query.ids, signal: request.signal });
      const day = parisDay(ctx.clock.now());
      return attachment(body, `atelier-${day}.zip`, 'application/zip');
    },
  ),
});
