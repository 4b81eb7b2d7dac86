import { importFiles, MAX_UPLOAD_BYTES } from '#lib/brain/imports/import-files.ts';
import { requireImportSpace } from '#lib/brain/imports/import-space.ts';
import { getImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { spacePath } from '#lib/brain/schemas/fields.ts';
import { importSchema } from '#lib/brain/schemas/imports.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { withLargeFile } from '#lib/http/requests/large-body.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';
import { grantImportUpload, takeImportUpload } from '#lib/storage/uploads/import-upload.ts';
import { importUploadBody, importUploadedBody, importUploadSchema } from '#lib/storage/uploads/schemas.ts';

export const maxDuration = 300;

const MAX_BODY = 4 * 1024;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'grantImportUpload',
      summary: 'Demander où envoyer un gros import',
      description:
        'Le formulaire de l’import va droit au magasin de fichiers\u00a0: ce qu’un hébergeur couperait passe. Il attend une heure d’être lu.',
      tag: 'Imports',
      dialect: 'brain',
      permission: 'brain.write',
      path: spacePath,
      body: { type: 'json', schema: importUploadBody, maxBytes: MAX_BODY },
      answers: { 200: { description: 'Où envoyer, pendant quinze minutes', schema: importUploadSchema } },
      errors: ['invalid', 'not_found', 'not_configured', 'unavailable', 'conflict', 'rate_limited'],
    },
    async (ctx, { path, body }) => {
      await requireImportSpace(ctx, ctx.kysely, path.id);
      return { body: await grantImportUpload(withFiles(ctx), body) };
    },
  ),
  PUT: withMember(
    {
      id: 'importUploadedFiles',
      summary: 'Importer ce qui a été envoyé au magasin',
      description: 'Lu et jugé comme un envoi ordinaire, une seule fois, puis supprimé du magasin.',
      tag: 'Imports',
      dialect: 'brain',
      permission: 'brain.write',
      path: spacePath,
      body: { type: 'json', schema: importUploadedBody, maxBytes: MAX_BODY },
      answers: { 202: { description: 'L’import commencé', schema: importSchema } },
      errors: ['invalid', 'not_found', 'not_configured', 'unavailable', 'rate_limited'],
    },
    async (ctx, { path, body: { pathname, contentType } }) => {
      const sent = { accountId: ctx.actor.accountId, maxBytes: MAX_UPLOAD_BYTES };
      const { jobId } = await takeImportUpload(withFiles(ctx), { pathname }, (file) =>
        withLargeFile(file, sent, (bytes) => importFiles(ctx, { spaceId: path.id, contentType, bytes })),
      );
      runLater('import.failed', () => runImport(ctx, { jobId }), { jobId });
      return { status: 202, body: await getImport(ctx, { jobId }) };
    },
  ),
});
