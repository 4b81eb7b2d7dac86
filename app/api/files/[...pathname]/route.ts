import { withMember } from '#lib/http/middleware/with-member.ts';
import { DECLARED_LENGTH } from '#lib/http/responses/declared-length.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { decodePathname } from '#lib/storage/pathnames.ts';
import { fileGone } from '#lib/storage/refusals.ts';
import { fileHeaders, filePath, fileQuery } from '#lib/storage/schemas.ts';
import { openDeliveredFile } from '#lib/studio/journal/open-delivered-file.ts';

export const maxDuration = 300;

const PREFIX = '/api/files/';

/** The path is read from the address itself, decoded once: Next gives its parts decoded, and a slash within one would be lost. */
const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readFile',
      summary: 'Lire un fichier',
      description: 'Un fichier privé du compte, entier ou par plages (`Range`).',
      tag: 'Fichiers',
      dialect: 'studio',
      permission: 'generate',
      path: filePath,
      query: fileQuery,
      headers: fileHeaders,
      answers: {
        200: { description: 'Le fichier', contentType: '*/*' },
        206: { description: 'Une plage du fichier', contentType: '*/*' },
        304: { description: 'Votre copie (`If-None-Match`) est à jour.' },
        416: { description: 'Aucune partie du fichier n’est dans la plage demandée.' },
      },
      errors: ['not_found', 'not_configured'],
    },
    async (ctx, { query, headers: asked, request }) => {
      const pathname = decodePathname(new URL(request.url).pathname.slice(PREFIX.length));
      if (pathname === null) throw fileGone('');
      const { status, headers, body } = await openDeliveredFile(
        { ...withStudio(ctx, request), ...withFiles(ctx) },
        {
          pathname,
          range: asked.range ?? null,
          ifRange: asked['if-range'] ?? null,
          ifNoneMatch: asked['if-none-match'] ?? null,
          download: query.download === '1',
          withoutBody: request.method === 'HEAD',
          signal: request.signal,
        },
      );
      const length = headers['Content-Length'];
      return new Response(body, {
        status,
        headers: { ...headers, ...(length === undefined ? {} : { [DECLARED_LENGTH]: length }) },
      });
    },
  ),
});

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
