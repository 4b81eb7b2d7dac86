import type { Context } from '#lib/core/context.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import { json } from '#lib/db/values.ts';
import { reviveDraft } from './child-process/read-in-child.ts';
import type { MemoryDraft } from './parse/types.ts';

/** Characters of one batch, about: read or written whole without holding anybody up. */
const BATCH_CHARS = 256 * 1024;

/** Keeps the drafts of an import, in their order, a few at a time. */
export async function insertBatches(
  tx: Transaction,
  jobId: string,
  drafts: readonly MemoryDraft[],
): Promise<void> {
  let position = 0;
  for (const batch of batchesOf(drafts))
    await tx
      .insertInto('ImportBatch')
      .values({ jobId, position: position++, drafts: json(batch) })
      .execute();
}

/** The drafts of an import, in their order; one batch of them is held at a time. */
export async function* readBatches(ctx: Pick<Context, 'kysely'>, jobId: string): AsyncGenerator<MemoryDraft> {
  for (let position = 0; ; position++) {
    const batch = await ctx.kysely
      .selectFrom('ImportBatch')
      .select('drafts')
      .where('jobId', '=', jobId)
      .where('position', '=', position)
      .executeTakeFirst();
    if (!batch) return;
    for (const draft of batch.drafts as unknown as MemoryDraft[]) yield reviveDraft(draft);
  }
}

function* batchesOf(drafts: readonly MemoryDraft[]): Generator<MemoryDraft[]> {
  let batch: MemoryDraft[] = [];
  let chars = 0;
  for (const draft of drafts) {
    batch.push(draft);
    chars += draft.title.length + draft.body.length + 300;
    if (chars < BATCH_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
