import { parisDay } from '#lib/core/text/paris-day.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { byteStream } from '#lib/http/responses/byte-stream.ts';
import { DECLARED_LENGTH } from '#lib/http/responses/declared-length.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { openExport } from '#lib/storage/offboarding/exports.ts';
import { exportHeaders, exportPath } from '#lib/storage/schemas.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readAccountExport',
      summary: 'Télécharger l’export du compte',
      description:
        'Le zip d’un export terminé, entier ou par plages (`Range`), pendant 24 heures, par un fondateur.',
      tag: 'Exports',
      dialect: 'brain',
      permission: 'members.manage',
      path: exportPath,
      headers: exportHeaders,
      answers: {
        200: { description: 'Le zip', contentType: 'application/zip' },
        206: {
          description: 'Une plage du zip',
          contentType: 'application/zip',
          headers: { 'Content-Range': 'Ce que cette réponse contient, `bytes 0-1023/4096`' },
        },
        416: {
          description: 'Aucune partie du zip n’est dans la plage demandée.',
          headers: { 'Content-Range': 'La taille du zip, `bytes */4096`' },
        },
      },
      errors: ['not_found', 'not_configured'],
    },
    async (ctx, { path, headers: asked, request }) => {
      const { status, headers, body } = await openExport(withFiles(ctx), {
        exportId: path.id,
        range: asked.range ?? null,
        ifRange: asked['if-range'] ?? null,
        head: request.method === 'HEAD',
      });
      const day = parisDay(ctx.clock.now());
      const answer = attachment(
        body ? byteStream(body[Symbol.asyncIterator]()) : new Uint8Array(),
        `atelier-${day}.zip`,
        'application/zip',
      );
      const length = headers['Content-Length'];
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      if (length !== undefined) answer.headers.set(DECLARED_LENGTH, length);
      return new Response(answer.body, { status, headers: answer.headers });
    },
  ),
});
