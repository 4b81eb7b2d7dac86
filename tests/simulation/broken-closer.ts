import { json } from '#lib/db/values.ts';
import { settle } from '#lib/ledger/close-reserve.ts';
import { storeFiles } from '#lib/studio/closing/store-files.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
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
  const artifacts = await storeFiles(ctx.studio.store, row, [file]);
  const costMicros = status.costMicros ?? row.heldMicros;
  await settle(ctx.kysely, ctx, { generationId, costMicros }).catch(() => undefined);
  await ctx.kysely
    .updateTable('Generation')
    .set({
      state: 'COMPLETED',
      closedAt: ctx.clock.now(),
      closedBy: 'webhook',
      costMicros,
      code: null,
      providerWebhookSecret: null,
      artifacts: json(artifacts),
      chargePending: false,
    })
    .where('id', '=', generationId)
    .where('state', '!=', 'FAILED')
    .execute();
};
