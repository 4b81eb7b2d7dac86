'use server';
import { z } from 'zod';
import { eraseNow } from '#lib/brain/bin/erase.ts';
import { restoreAll } from '#lib/brain/bin/restore-all.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { memberCall } from '#lib/http/actions/member-action.ts';

const deletion = z.object({ deletionId: z.string().min(1).max(64) });
const many = (memories: number, word: string) =>
  memories > 1 ? `${memories} mémoires ${word}s` : `Mémoire ${word}`;

export const restoreDeletion = memberCall({
  permission: 'brain.write',
  schema: deletion,
  async run(ctx, input) {
    const { restored, atRoot } = await undoDelete(ctx, input);
    const place = atRoot ? ', à la racine du pilier\u00a0: la mémoire parente n’est plus là' : '';
    return { message: `${many(restored, 'rétablie')}${place}` };
  },
});

export const restoreBin = memberCall({
  permission: 'brain.write',
  schema: z.object({}),
  async run(ctx) {
    const { restored, left, capacityFull } = await restoreAll(ctx);
    if (capacityFull)
      return { message: `${many(restored, 'rétablie')}. La capacité est pleine\u00a0: le reste attend ici` };
    return {
      message: left > 0 ? `${many(restored, 'rétablie')}. Il en reste ici` : many(restored, 'rétablie'),
    };
  },
});

export const eraseDeletion = memberCall({
  permission: 'storage.purge',
  schema: deletion,
  async run(ctx, input) {
    const { erased } = await eraseNow(ctx, input);
    return { message: many(erased, 'effacée') };
  },
});
