import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { readCaptions } from '#lib/studio/journal/read-captions.ts';
import { captionsQuery, generationPath } from '#lib/studio/schemas.ts';

export const dynamic = 'force-dynamic';

const CONTENT_TYPES = {
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
} as const;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readCaptions',
      summary: 'Les sous-titres d’une voix ou d’une synchronisation labiale',
      description: 'En SRT ou en WebVTT, aux instants que le fournisseur de la voix a donnés.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:read',
      permission: 'generate',
      path: generationPath,
      query: captionsQuery,
      answers: { 200: { description: 'Les sous-titres', contentType: 'application/x-subrip, text/vtt' } },
      errors: ['not_found'],
    },
    async (ctx, { path, query }) => {
      const { name, text } = await readCaptions(ctx, { generationId: path.id, format: query.format });
      return attachment(text, name, CONTENT_TYPES[query.format]);
    },
  ),
});
