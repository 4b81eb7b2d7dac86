import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { mostSimilar, type Similar } from '../likeness/similar.ts';
import { MAX_MEMORY_DEPTH } from '../limits.ts';
import type { MemorySource, PillarRole } from '../templates.ts';
import { fitsMemory } from '../text/fits-memory.ts';
import { splitTextInChild } from '../text/split-in-child.ts';
import { addMemoryWithin } from './add-memory.ts';

/** The last part takes what comes beyond the most of them. */
const TOO_MANY_PARTS =
  'Ce texte fait trop de parties pour être divisé ici\u00a0: importez-le comme document.';

type PartsInput = {
  spaceId: string;
  pillar: PillarRole;
  parentId: string | null;
  title: string;
  body: string;
  source: MemorySource;
  key: string;
};

/**
 * Adds a text as several Memories: its introduction, its parts nested in it. All in one transaction: when one is refused there is
 * nothing, and the key is free. Sent twice under one key, it is written once. Errors: those of `addMemory`; `invalid_request` (`body`) when a
 * part would be longer than a Memory.
 */
export async function addParts(
  ctx: Context<AccountActor>,
  input: PartsInput,
): Promise<{ memoryId: string; added: number; similar: Similar[] }> {
  try {
    return await write(ctx, input);
  } catch (error) {
    // The same text sent twice at once: the other one is committed by now, and is replayed.
    if (!isUniqueViolation(error)) throw error;
    return write(ctx, input);
  }
}

async function write(
  ctx: Context<AccountActor>,
  input: PartsInput,
): Promise<{ memoryId: string; added: number; similar: Similar[] }> {
  const { key, title, body, ...place } = input;
  const [first, ...parts] = await splitTextInChild(ctx.actor.accountId, { title, body });
  if (!first) throw new Error('a text has a first part');
  if (![first, ...parts].every((part) => fitsMemory(part.body)))
    throw new ServiceError('invalid_request', {
      message: TOO_MANY_PARTS,
      problems: [{ field: 'body', message: TOO_MANY_PARTS }],
    });
  return transaction(ctx, async (tx) => {
    const root = await addMemoryWithin(ctx, tx, { ...place, ...first, idempotencyKey: key });
    const row = await tx
      .selectFrom('Memory')
      .select('depth')
      .where('id', '=', root.memory.id)
      .executeTakeFirst();
    // Where nothing more can be nested, the parts stand beside their introduction.
    const parentId = (row?.depth ?? 0) < MAX_MEMORY_DEPTH ? root.memory.id : place.parentId;
    const written = [root];
    for (const [index, part] of parts.entries())
      written.push(
        await addMemoryWithin(ctx, tx, {
          ...place,
          ...part,
          parentId,
          idempotencyKey: `${key}-${index + 1}`,
        }),
      );
    // Likenesses between parts of the same text are not reported.
    const own = new Set(written.map(({ memory }) => memory.id));
    const others = written.flatMap(({ similar }) => similar.filter(({ id }) => !own.has(id)));
    return { memoryId: root.memory.id, added: written.length, similar: mostSimilar(others) };
  });
}
