import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { readUploadInChild } from './child-process/read-in-child.ts';
import { requireImportSpace } from './import-space.ts';
import { startImport } from './jobs.ts';

/** Largest upload, all its files together. */
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/**
 * Reads and judges the files of a multipart form, apart, and records the import that will write what they hold (`runImport` does). Its field
 * `pillar` is KNOWLEDGE when absent or unknown. Errors: `invalid` without a file or for a form that cannot be read, those of `startImport`.
 */
export async function importFiles(
  ctx: Context<MemberActor>,
  input: { spaceId: string; contentType: string; bytes: Uint8Array },
): Promise<{ jobId: string }> {
  const { spaceId } = input;
  const { accountId } = ctx.actor;
  await requireImportSpace(ctx, ctx.kysely, spaceId);
  const read = await readUploadInChild({ ...input, accountId });
  if (!read.ok) throw new ServiceError('invalid', { message: `${read.reason} Rien n’a été importé.` });
  const { files, first, drafts, refused } = read;
  if (files === 0) throw new ServiceError('invalid', { message: 'Choisissez au moins un fichier.' });
  const label = files === 1 ? first : `${files} fichiers`;
  return startImport(ctx, { spaceId, label, source: 'UPLOAD', drafts, refused });
}
