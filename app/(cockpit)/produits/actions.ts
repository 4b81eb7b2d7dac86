'use server';
import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { withFiles } from '#lib/http/files.ts';
import { memberAction } from '#lib/http/member-action.ts';
import { purgeProductBlobs } from '#lib/storage/purge-product.ts';

/** Well under what a server gives a request; what is left is for the next press. */
const BUDGET_MS = 45_000;

/** Deletes every file of a product that left the registry. The founder types its identifier: nothing brings the files back. */
export const purgeProduct = memberAction({
  permission: 'storage.purge',
  schema: z.object({ productId: z.string().min(1).max(60), typed: z.string() }),
  async run(ctx, { productId, typed }) {
    if (typed.trim() !== productId)
      throw new ServiceError('invalid', {
        message: 'Rien n’a été supprimé\u00a0: l’identifiant tapé n’est pas le bon.',
        problems: [{ field: 'typed', message: `Tapez exactement ${productId}.` }],
      });
    const report = await purgeProductBlobs(withFiles(ctx), productId, { budgetMs: BUDGET_MS });
    // The page is read again when the report is closed: doing it now would take the report away with its row.
    return { data: report };
  },
});
