import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { fileAnswers, servedFile } from '#lib/http/routes/served-file.ts';
import { decodePathname } from '#lib/storage/pathnames.ts';
import { fileGone } from '#lib/storage/refusals.ts';
import { fileHeaders, filePath, shownFileQuery } from '#lib/storage/schemas.ts';

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
      scope: 'studio:read',
      permission: 'generate',
      path: filePath,
      query: shownFileQuery,
      headers: fileHeaders,
      answers: fileAnswers,
      errors: ['not_found', 'not_configured'],
    },
    async (ctx, { query, headers: asked, request }) => {
      const pathname = decodePathname(new URL(request.url).pathname.slice(PREFIX.length));
      if (pathname === null) throw fileGone('');
      return servedFile(ctx, request, {
        pathname,
        asked,
        download: query.download !== undefined,
        thumbnail: query.thumbnail === 'bin' ? 'bin' : query.thumbnail === '1',
      });
    },
  ),
});

export { DELETE, GET, GET as HEAD, OPTIONS, PATCH, POST, PUT };
