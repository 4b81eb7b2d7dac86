import type { Context } from '#lib/core/context.ts';
import { randomHex } from '#lib/core/crypto.ts';
import { faultFields } from '#lib/core/faults.ts';
import { json } from '#lib/db/values.ts';
import type { FilesContext } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import {
  findDatabaseId,
  markOf,
  OWNER_JOB,
  type Ownership,
  ownershipBy,
  readMarkOf,
  type StoreOwner,
} from '../owner-mark.ts';
import type { Pass, Standing } from './pass.ts';

/**
 * The owner of the store, by its mark, read once a pass. An unmarked store is marked for this service; with `ownStore` the mark is
 * overwritten. What prevents deletions is in the report and in the log.
 */
export async function settleOwner(pass: Pass): Promise<Standing> {
  const { ctx, budget, report } = pass;
  const { ownerMark } = pass.store;
  if (ownerMark === undefined) return 'own';
  if (budget.isSpent()) return 'unknown';
  const owner = { database: await makeDatabaseId(ctx), origin: ctx.files.origin ?? null };
  let standing: Standing;
  try {
    standing = await standingOf(pass, ownerMark, owner);
  } catch (error) {
    ctx.log.warn('retention.mark_failed', faultFields(error));
    budget.stop();
    return 'unknown';
  }
  if (standing === 'copy') ctx.log.error('retention.copy_refused');
  if (standing === 'copy' || standing === 'marked') report.withheld = standing;
  return standing;
}

/**
 * What `settleOwner` would make of the store, which is asked and left as it is. Throws when the store does not answer: a pass would delete
 * nothing then.
 */
export async function foreseeOwner(
  { ctx, store }: { ctx: FilesContext; store: FileStore },
  { ownStore }: { ownStore: boolean },
): Promise<Standing> {
  const { ownerMark, overwrites } = store;
  if (ownerMark === undefined || ownStore) return 'own';
  const mark = await readMarkOf(store, ownerMark);
  // A database that has no identifier yet makes itself a new one, which no mark names.
  const database = (await findDatabaseId(ctx.kysely)) ?? '';
  const before = ownershipBy(mark, { database, origin: ctx.files.origin ?? null });
  if (before === 'unmarked') return overwrites ? 'marked' : 'own';
  return before === 'unaddressed' ? 'marked' : before;
}

/** Throws when the store does not answer. */
async function standingOf(
  { store, budget, ownStore }: Pass,
  mark: string,
  owner: StoreOwner,
): Promise<Standing> {
  const write = (onlyNew: boolean) =>
    budget.inTime(store.put(mark, Buffer.from(markOf(owner)), { contentType: 'application/json', onlyNew }));
  const read = async () => ownershipBy(await budget.inTime(readMarkOf(store, mark)), owner);
  if (ownStore) {
    await write(false);
    return 'own';
  }
  const before = await read();
  if (before !== 'unmarked' && before !== 'unaddressed') return before;
  const isNew = before === 'unmarked';
  let refusal: unknown = new Error('the store does not show what it took');
  try {
    await write(isNew);
  } catch (error) {
    refusal = error;
  }
  // Another service may have marked the store in between: the current mark decides.
  const after: Ownership = await read();
  if (after === 'unmarked' || (after === 'unaddressed' && !isNew)) throw refusal;
  // Overwritten, perhaps over a concurrent mark: the next pass sees which one stayed.
  if (after === 'own') return isNew && !store.overwrites ? 'own' : 'marked';
  return after === 'unaddressed' ? 'marked' : after;
}

/** Created on the first night; two concurrent runs both read the one that was stored. */
async function makeDatabaseId({ kysely, clock }: Pick<Context, 'kysely' | 'clock'>): Promise<string> {
  await kysely
    .insertInto('CronCursor')
    .values({ job: OWNER_JOB, cursor: json({ id: randomHex(16) }), updatedAt: clock.now() })
    .onConflict((conflict) => conflict.column('job').doNothing())
    .execute();
  const id = await findDatabaseId(kysely);
  if (id === null) throw new Error('the row of the database’s identifier holds none');
  return id;
}
