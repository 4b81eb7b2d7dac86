import { settle } from '#lib/ledger/close-reserve.ts';
import { readRow } from '#lib/studio/closing/commit-closing.ts';
import { storeFiles } from '#lib/studio/closing/store-files.ts';
import type { Closer } from './simulate.ts';

/**
 * A closer as it must not be written: it looks, then acts. Debit and row are two statements, and the row is closed whatever
 * became of it meanwhile, with the figure that this closer was told. Kept to prove that the simulation bites.
 */
export const brokenCloser: Closer = async (ctx, generationId) => {
  const row = await readRow(ctx, generationId);
  if (row?.kind !== 'VIDEO' || row.state !== 'SUBMITTED' || !ctx.studio.store) return;
  const status = await ctx.studio.providers.video.status({
    operation: JSON.parse(row.providerOperation ?? 'null'),
    modelId: row.modelId ?? '',
  });
  if (status.outcome !== 'completed' || status.file.kind !== 'bytes') return;
  const file = { name: 'video.mp4', bytes: status.file.bytes, contentType: 'video/mp4' };
  const artifacts = await storeFiles(ctx.studio.store, row.id, [file]);
  const costMicros = status.costMicros ?? row.heldMicros;
  await settle(ctx.sql, ctx, { generationId, costMicros }).catch(() => undefined);
  await ctx.sql.rows(
    'test.broken_close',
    `UPDATE "Generation" SET "state" = 'COMPLETED', "closedAt" = $2, "closedBy" = 'webhook', "costMicros" = $3, "code" = NULL,
       "providerWebhookSecret" = NULL, "artifacts" = $4, "chargePending" = false WHERE "id" = $1 AND "state" <> 'FAILED'`,
    [generationId, ctx.clock.now(), costMicros, JSON.stringify(artifacts)],
  );
};
