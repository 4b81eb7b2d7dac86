import { recordAudits } from '#lib/core/audit.ts';
import { faultFields } from '#lib/core/faults.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { audit } from './audit-events.ts';

/**
 * Deletes immediately every file in the folder of a failed generation, and audits `generation.files_discarded`. Bytes that the store refuses
 * to delete are audited `generation.files_delete_failed`; retention's orphan pass deletes them later.
 */
export async function discardFiles(
  ctx: StudioContext,
  row: Generation,
  input: { by: string; reason: string },
): Promise<void> {
  const { store } = ctx.studio;
  if (!store) return;
  const pathnames: string[] = [];
  let failed = false;
  try {
    let cursor: string | undefined;
    do {
      const page = await store.list({ prefix: generationFolder(row.id), ...(cursor ? { cursor } : {}) });
      const found = page.files.map((file) => file.pathname);
      pathnames.push(...found);
      await store.delete(found);
      cursor = page.cursor;
    } while (cursor);
  } catch (error) {
    ctx.log.warn('files.delete_failed', { subject: row.id, ...faultFields(error) });
    failed = true;
  }
  if (pathnames.length === 0 && !failed) return;
  await recordAudits(ctx.kysely, ctx, [
    audit(row, failed ? 'generation.files_delete_failed' : 'generation.files_discarded', {
      ...input,
      pathnames: pathnames.slice(0, 200),
    }),
  ]).catch((error: unknown) =>
    ctx.log.error('generation.discard_unaudited', {
      generationId: row.id,
      files: pathnames.length,
      ...faultFields(error),
    }),
  );
}
