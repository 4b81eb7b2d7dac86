import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { fileAnswers, servedFile } from '#lib/http/routes/served-file.ts';
import { fileIdPath, readFile } from '#lib/storage/assets/list-files.ts';
import { fileHeaders, fileQuery } from '#lib/storage/schemas.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'downloadFile',
      summary: 'Télécharger un fichier',
      description:
        'Ses octets, entiers ou par plages (`Range`), sous les mêmes identifiants. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      permission: 'generate',
      dialect: 'studio',
      path: fileIdPath,
      // What is not known is refused under /api/v1 (decision 2); the cockpit’s own address passes over it.
      query: fileQuery.strict(),
      headers: fileHeaders,
      answers: fileAnswers,
      errors: ['not_found', 'not_configured'],
    },
    {
      handle: async (ctx, { path, query, headers: asked, request }) => {
        const { pathname } = await readFile(ctx, path);
        return servedFile(ctx, request, { pathname, asked, download: query.download !== undefined });
      },
    },
  ),
});
