import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { type FileAnswer, type FileRequest, openFile } from '#lib/storage/serving/open-file.ts';
import { openBinnedThumbnail, openThumbnail } from '#lib/storage/thumbnails/open-thumbnail.ts';
import type { StudioContext } from '../context.ts';
import { readAdvanced } from './get-generation.ts';

/**
 * Opens a private file of the account. A generated file whose debit is written but which no row names yet is found too: its row is first
 * completed from the ledger. `thumbnail`: the small version for a tile, or for the bin (`bin`). Errors: those of `openFile`.
 */
export async function openDeliveredFile(
  ctx: StudioContext<AccountActor> & FilesContext<AccountActor>,
  { thumbnail = false, ...request }: FileRequest & { thumbnail?: boolean | 'bin' },
): Promise<FileAnswer> {
  if (thumbnail === 'bin') return openBinnedThumbnail(ctx, request);
  const open = thumbnail ? openThumbnail : openFile;
  try {
    return await open(ctx, request);
  } catch (error) {
    const [folder, generationId = ''] = request.pathname.split('/');
    const isMissing = error instanceof ServiceError && error.code === 'not_found';
    if (!isMissing || folder !== 'generations' || !isId('generation', generationId)) throw error;
    const row = await readAdvanced(ctx, generationId).catch(() => null);
    if (!row?.artifacts.some(({ pathname }) => pathname === request.pathname)) throw error;
    return open(ctx, request);
  }
}
