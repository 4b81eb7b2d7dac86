import { importFiles, MAX_UPLOAD_BYTES } from '#lib/brain/imports/import-files.ts';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { spacePath } from '#lib/brain/schemas/fields.ts';
import { importForm, importSchema } from '#lib/brain/schemas/imports.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { withUploadBytes } from '#lib/http/requests/upload-bytes.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'importFiles',
      summary: 'Importer des fichiers dans un espace',
      description: 'Ils sont lus et jugés aussitôt\u00a0; leurs mémoires sont écrites après la réponse.',
      tag: 'Imports',
      dialect: 'brain',
      permission: 'brain.write',
      path: spacePath,
      body: { type: 'multipart', schema: importForm, maxBytes: MAX_UPLOAD_BYTES },
      answers: { 202: { description: 'L’import commencé', schema: importSchema } },
      errors: ['invalid', 'not_found', 'payload_too_large'],
    },
    async (ctx, { path, request }) => {
      const contentType = request.headers.get('content-type') ?? '';
      const sent = { accountId: ctx.actor.accountId, maxBytes: MAX_UPLOAD_BYTES };
      const { jobId } = await withUploadBytes(request, sent, (bytes) =>
        importFiles(ctx, { spaceId: path.id, contentType, bytes }),
      );
      runLater('import.failed', () => runImport(ctx, { jobId }), { jobId });
      return { status: 202, body: await getImport(ctx, { jobId }) };
    },
  ),
});
