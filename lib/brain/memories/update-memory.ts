import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { auditRecords } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { givenSpaces } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { closedMeanwhile } from '../account-closed.ts';
import { capacityFull } from '../capacity-full.ts';
import { capacityUnits } from '../capacity-units.ts';
import {
  confirmSimilar,
  isUnlike,
  prepareComparison,
  type Similar,
  sketchParams,
} from '../likeness/similar.ts';
import { readLikeness } from '../likeness/statements.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { MemoryKind } from '../templates.ts';
import { textHash } from './text-hash.ts';
import { type Text, updateStatement } from './update-statement.ts';

type UpdateMemoryInput = {
  memoryId: string;
  /** Version that the writer started from; null overwrites whatever is there. */
  expectedVersion: number | null;
  /** Already trimmed, 1 to 200 characters. */
  title: string;
  body: string;
  kind?: MemoryKind;
  change?: 'EDITED' | 'RESTORED';
};

type Updated = { version: number; similar: Similar[] };

/**
 * Writes a new version of a Memory; the former one stays in its history; other Memories that now say nearly the same are named. Of two writers
 * who saw the same version, the second is refused. Errors, nothing written: `forbidden`, `not_found`, `conflict` (detail: the current
 * version), `capacity_full` (only when the Memory grows), `account_closed` (`conflict` in the cockpit) in an account that was closed
 * meanwhile.
 */
export async function updateMemory(ctx: Context<AccountActor>, input: UpdateMemoryInput): Promise<Updated> {
  const { version, similar } = await update(ctx, ctx.kysely, input, (work) => transaction(ctx, work));
  return { version, similar };
}

/** The same inside the caller's transaction, which a refusal ends. */
export async function updateMemoryWithin(
  ctx: Context<AccountActor>,
  tx: Transaction,
  input: UpdateMemoryInput,
): Promise<Updated> {
  const { version, similar } = await update(ctx, tx, input, (work) => work(tx));
  return { version, similar };
}

/**
 * The same with an imported text, over any version; it is remembered as the last one imported. `editReplaced`: the replaced text was not the
 * last imported one; `isUnlike`: it had nothing in common. Errors: those of `updateMemory` but `conflict`.
 */
export async function updateImported(
  ctx: Context<AccountActor>,
  input: { memoryId: string; title: string; body: string; kind: MemoryKind },
): Promise<{ similar: Similar[]; editReplaced: boolean; isUnlike: boolean }> {
  const imported = { ...input, expectedVersion: null, importedHash: textHash(input) };
  const { similar, wasEdited, replaced } = await update(ctx, ctx.kysely, imported, (work) =>
    transaction(ctx, work),
  );
  return {
    similar,
    editReplaced: wasEdited,
    isUnlike: replaced !== null && (await isUnlike(input, replaced)),
  };
}

type Written = { version: number; wasEdited: boolean; replaced: Text | null };

async function update(
  ctx: Context<AccountActor>,
  on: Executor,
  input: UpdateMemoryInput & { importedHash?: Uint8Array },
  inTransaction: (work: (tx: Transaction) => Promise<Written>) => Promise<Written>,
): Promise<Updated & Written> {
  requireBrainWrite(ctx);
  const { accountId } = ctx.actor;
  const given = givenSpaces(ctx.actor);
  const text = await prepareComparison(accountId, input);
  const found = await readLikeness.first(on, {
    accountId,
    given,
    memoryId: input.memoryId,
    ...text.sketch,
  });
  if (!found) throw new Error('a SELECT without FROM has one row');
  const now = ctx.clock.now();
  const cu = capacityUnits(input.title, input.body);
  const change = input.change ?? 'EDITED';
  const written = await inTransaction(async (tx) => {
    // The statement read the capacity before it locked the account; what it wrote is checked again, and undone if too much.
    const row = await updateStatement.first(tx, {
      accountId,
      given,
      memoryId: input.memoryId,
      expectedVersion: input.expectedVersion,
      title: input.title,
      body: input.body,
      kind: input.kind ?? null,
      importedHash: input.importedHash ?? null,
      cu,
      now,
      revisedIds: [input.memoryId],
      revisionIds: [createId('revision', now)],
      change,
      actor: actorLabel(ctx.actor),
      ...sketchParams(text.sketch, found.likeness),
      auditRecords: auditRecords(ctx, [
        {
          action: change === 'RESTORED' ? 'memory.restored' : 'memory.updated',
          accountId,
          subject: { type: 'memory', id: input.memoryId },
          // The statement knows the Space and the new version, and writes them over these.
          data: { spaceId: '', version: 0, cu },
        },
      ]),
    });
    if (!row) throw memoryNotFound();
    requireBrainWrite(ctx, row.spaceId);
    if (input.expectedVersion !== null && row.foundVersion !== input.expectedVersion)
      throw new ServiceError('conflict', { detail: String(row.foundVersion) });
    const overfills =
      row.usedCu !== null && row.capacityCu !== null && row.usedCu > row.capacityCu && cu > (row.oldCu ?? 0);
    if (row.newVersion === null) throw await refusalOf(ctx, tx);
    if (overfills) throw capacityFull(row.capacityCu);
    return { version: row.newVersion, wasEdited: row.wasEdited, replaced: row.replaced };
  });
  return { ...written, similar: await confirmSimilar(text, found.likeness) };
}

/** Why the account took no more: it was closed meanwhile, or has no room. */
async function refusalOf({ actor }: Context<AccountActor>, tx: Transaction): Promise<ServiceError> {
  const account = await tx
    .selectFrom('Account')
    .select(['closedAt', 'capacityCu'])
    .where('id', '=', actor.accountId)
    .executeTakeFirst();
  return account?.closedAt ? closedMeanwhile(actor) : capacityFull(account?.capacityCu);
}
