import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { fileGone, requireGenerate, requireName, requireProduct, requireText } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { lockLiveAsset } from './live-asset.ts';
import { LISTED, type ListPart } from './older-than.ts';

const CONCEPT_NAME_MAX = 120;
const CONCEPT_NOTE_MAX = 2_000;

type NewConcept = { productId: string; name: string; note?: string };

/** Validates a new concept and returns it trimmed. Errors: `invalid` names the field. */
function judged(ctx: Context<AccountActor>, input: NewConcept): Required<NewConcept> {
  requireGenerate(ctx);
  const { id: productId } = requireProduct(ctx, input.productId);
  const name = requireName('name', input.name, CONCEPT_NAME_MAX);
  const note = input.note?.trim() ? requireText('note', input.note, CONCEPT_NOTE_MAX) : '';
  return { productId, name, note };
}

async function insertConcept(
  tx: Transaction,
  ctx: Context<AccountActor>,
  concept: Required<NewConcept>,
): Promise<string> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const id = createId('concept', now);
  await tx
    .insertInto('Concept')
    .values({ id, accountId, memberId, ...concept, createdAt: now, updatedAt: now })
    .execute();
  await recordAudits(tx, ctx, [
    {
      action: 'concept.created',
      accountId,
      subject: { type: 'concept', id },
      data: { productId: concept.productId },
    },
  ]);
  return id;
}

/** Call within the lock of the file. */
async function attach(
  tx: Transaction,
  ctx: Context<AccountActor>,
  { assetId, conceptId }: { assetId: string; conceptId: string },
): Promise<void> {
  await tx
    .updateTable('Asset')
    .set({ conceptId, updatedAt: ctx.clock.now() })
    .where('id', '=', assetId)
    .execute();
  await recordAudits(tx, ctx, [
    {
      action: 'concept.attached',
      accountId: ctx.actor.accountId,
      subject: { type: 'concept', id: conceptId },
      data: { assetId },
    },
  ]);
}

/** Call within the lock of the file. Throws `conflict` when its concept is no longer the one `shown`; a concept in the bin counts as none. */
async function requireConceptAsShown(
  tx: Transaction,
  { actor }: Context<AccountActor>,
  shown: Shown | undefined,
  { now, next }: { now: string | null; next: string | null },
): Promise<void> {
  if (!shown || now === null) return;
  const live = await tx
    .selectFrom('Concept')
    .select('name')
    .where('id', '=', now)
    .where('accountId', '=', actor.accountId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!live) return;
  const what = `Ce fichier a été rattaché à «\u00a0${live.name}\u00a0»`;
  requireAsShown(shown, { conceptId: { what, now, next } });
}

/**
 * Creates a concept and attaches a file to it, in one transaction. A repeated or concurrent request creates none: the file is already in a
 * concept of that name. Audited `concept.created`, `concept.attached`. Errors: those of `attachToConcept`, `invalid` naming
 * the field.
 */
export async function attachToNewConcept(
  ctx: Context<AccountActor>,
  input: NewConcept & { assetId: string; shown?: Shown | undefined },
): Promise<{ conceptId: string; assetId: string }> {
  const concept = judged(ctx, input);
  const { accountId } = ctx.actor;
  return withRetentionPaused(ctx, async (tx) => {
    // Concurrent requests about one file wait at its lock.
    const { id: assetId, conceptId: current } = await lockLiveAsset(tx, accountId, input.assetId);
    const same = await tx
      .selectFrom('Concept')
      .select('id')
      .where('id', '=', current ?? '')
      .where('accountId', '=', accountId)
      .where('productId', '=', concept.productId)
      .where('name', '=', concept.name)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    if (same) return { conceptId: same.id, assetId };
    await requireConceptAsShown(tx, ctx, input.shown, { now: current, next: null });
    const conceptId = await insertConcept(tx, ctx, concept);
    await attach(tx, ctx, { assetId, conceptId });
    return { conceptId, assetId };
  });
}

/**
 * Attaches a file to a concept, which keeps it; it leaves the concept it was in. Audited `concept.attached`. Errors: `not_found`, `conflict` when that is no longer
 * the one that was `shown`.
 */
export async function attachToConcept(
  ctx: Context<AccountActor>,
  input: { conceptId: string; assetId: string; shown?: Shown | undefined },
): Promise<{ conceptId: string; assetId: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  return withRetentionPaused(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    // Locked: a concept that is deleted meanwhile keeps nothing.
    const concept = await tx
      .updateTable('Concept')
      .set({ updatedAt: now })
      .where('id', '=', input.conceptId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!concept) throw fileGone(input.conceptId);
    await requireConceptAsShown(tx, ctx, input.shown, { now: asset.conceptId, next: concept.id });
    if (asset.conceptId !== concept.id) await attach(tx, ctx, { assetId: asset.id, conceptId: concept.id });
    return { conceptId: concept.id, assetId: asset.id };
  });
}

/**
 * Takes a file out of its concept. Audited `concept.detached`; nothing happens when it was in none. Errors: `not_found`, `conflict` when it is no longer in the
 * one that was `shown`.
 */
export async function detachFromConcept(
  ctx: Context<AccountActor>,
  input: { assetId: string; shown?: Shown | undefined },
): Promise<{ assetId: string }> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const asset = await lockLiveAsset(tx, accountId, input.assetId);
    if (asset.conceptId === null) return { assetId: asset.id };
    await requireConceptAsShown(tx, ctx, input.shown, { now: asset.conceptId, next: null });
    await tx
      .updateTable('Asset')
      .set({ conceptId: null, updatedAt: ctx.clock.now() })
      .where('id', '=', asset.id)
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'concept.detached',
        accountId,
        subject: { type: 'concept', id: asset.conceptId },
        data: { assetId: asset.id },
      },
    ]);
    return { assetId: asset.id };
  });
}

/** Puts a concept into the bin for 30 days: its files stay, and it keeps them until then. Audited `concept.deleted`. */
export async function deleteConcept(
  ctx: Context<AccountActor>,
  input: { conceptId: string },
): Promise<{ id: string }> {
  requireGenerate(ctx);
  const { accountId, memberId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const concept = await tx
      .updateTable('Concept')
      .set({ deletedAt: now, binnedBy: memberId, updatedAt: now })
      .where('id', '=', input.conceptId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!concept) throw fileGone(input.conceptId);
    await recordAudits(tx, ctx, [
      { action: 'concept.deleted', accountId, subject: { type: 'concept', id: concept.id } },
    ]);
    return { id: concept.id };
  });
}

/**
 * The concepts of a product that a file may be attached to, by name, newest first: 200 of them, older than `before` when it is given, and whether
 * there are older ones still.
 */
export async function listConceptNames(
  ctx: Context<AccountActor>,
  input: { productId: string; before?: string },
): Promise<{ concepts: { id: string; name: string }[]; hasOlder: boolean }> {
  // One more than is given tells whether there are others.
  const found = await listConcepts(ctx, { ...input, limit: LISTED + 1 });
  return {
    concepts: found.slice(0, LISTED).map(({ id, name }) => ({ id, name })),
    hasOlder: found.length > LISTED,
  };
}

/** The concepts of the account, newest first, with how many files each gathers; of one product when it is given. */
export async function listConcepts(
  ctx: Context<AccountActor>,
  { productId, before, limit = LISTED }: { productId?: string } & ListPart = {},
) {
  const { accountId } = ctx.actor;
  const last = before ? await ctx.db.concept.findFirst({ where: { id: before, accountId } }) : null;
  let page = ctx.kysely
    .selectFrom('Concept as c')
    .selectAll('c')
    // Of each one listed: Prisma's count of a relation groups its whole table, the files of every account.
    .select((eb) =>
      eb
        .selectFrom('Asset as a')
        .select(countRows.as('files'))
        .whereRef('a.conceptId', '=', 'c.id')
        .where('a.deletedAt', 'is', null)
        .as('files'),
    )
    .where('c.accountId', '=', accountId)
    .where('c.deletedAt', 'is', null);
  if (productId !== undefined) page = page.where('c.productId', '=', productId);
  if (last) {
    const { createdAt, id } = last;
    page = page.where((eb) => eb(eb.refTuple('c.createdAt', 'c.id'), '<', eb.tuple(createdAt, id)));
  }
  const rows = await page.orderBy('c.createdAt', 'desc').orderBy('c.id', 'desc').limit(limit).execute();
  return rows.map(({ files, ...concept }) => ({ ...concept, files: files ?? 0 }));
}
