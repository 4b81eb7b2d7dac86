import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isPillarRole } from '../templates.ts';
import { startImport } from './jobs.ts';
import { readUpload, type UploadedFile } from './read-upload.ts';

/**
 * Reads and judges uploaded files, and records the import that will write what they hold (`runImport` does). An absent or unknown
 * pillar is KNOWLEDGE. Errors: `invalid` without a file, those of `startImport`.
 */
export async function importFiles(
  ctx: Context<MemberActor>,
  input: { spaceId: string; files: readonly UploadedFile[]; pillar: string | undefined },
): Promise<{ jobId: string }> {
  const { spaceId, files } = input;
  const [first] = files;
  if (!first) throw new ServiceError('invalid', { message: 'Choisissez au moins un fichier.' });
  const pillar = isPillarRole(input.pillar) ? input.pillar : 'KNOWLEDGE';
  const { drafts, refused } = await readUpload(files, { pillar });
  const label = files.length === 1 ? first.name : `${files.length} fichiers`;
  return startImport(ctx, { spaceId, label, source: 'UPLOAD', drafts, refused });
}
