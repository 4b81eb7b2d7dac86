import { after } from 'next/server';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { MAX_UPLOAD_BYTES, readUpload } from '#lib/brain/imports/read-upload.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { isPillarRole } from '#lib/brain/templates.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { readUploadForm } from '#lib/http/requests/uploaded-files.ts';

export const maxDuration = 300;

/** Brings files into a Space: they are read and judged at once, their Memories are written after the answer. */
export const POST = withMember({
  permission: 'brain.write',
  async handle(ctx, { path, request }) {
    const { files, fields } = await readUploadForm(request, MAX_UPLOAD_BYTES);
    if (files.length === 0) throw new ServiceError('invalid', { message: 'Choisissez au moins un fichier.' });
    const pillar = isPillarRole(fields.pillar) ? fields.pillar : 'KNOWLEDGE';
    const { drafts, refused } = await readUpload(files, { pillar });
    const [first] = files;
    const label = files.length === 1 && first ? first.name : `${files.length} fichiers`;
    const { jobId } = await startImport(ctx, {
      spaceId: path.id ?? '',
      label,
      source: 'UPLOAD',
      drafts,
      refused,
    });
    after(() => runImport(ctx, { jobId }));
    return { status: 202, body: await getImport(ctx, { jobId }) };
  },
});
