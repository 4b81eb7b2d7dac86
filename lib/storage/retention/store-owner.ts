import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { randomHex } from '#lib/core/crypto.ts';
import { faultFields } from '#lib/core/faults.ts';
import { json } from '#lib/db/values.ts';
import { saveCursor } from './cursor.ts';
import type { Pass } from './pass.ts';

/** Its row of `CronCursor`: the identifier that this database was given once. A copy or a backup of it has the same. */
const JOB = 'store';
/** A mark has some fifty bytes. */
const MAX_BYTES = 1024;

/**
 * Whether what no row of this database names may go from the store, which says in a mark of its own which database it belongs to. One that
 * has no mark is marked for this database; under `ownStore` it is marked anew. Of another's, or where the store does not answer, nothing
 * goes: the report and the log say so.
 */
export async function ownsStore(pass: Pass): Promise<boolean> {
  const { ctx, budget, report } = pass;
  const { ownerMark } = pass.store;
  if (ownerMark === undefined) return true;
  const own = JSON.stringify({ database: await readDatabaseId(ctx) });
  let found: string;
  try {
    found = await readOrWrite(pass, ownerMark, own);
  } catch (error) {
    ctx.log.warn('retention.mark_failed', faultFields(error));
    budget.stop();
    return false;
  }
  if (found === own) return true;
  ctx.log.error('retention.orphans_refused');
  report.orphansRefused = true;
  // Files of rows go the next night, which begins with them.
  await saveCursor(ctx.kysely, ctx, null);
  return false;
}

/** What the mark says once this database has written its own where there was none. Throws when the store does not answer. */
async function readOrWrite({ store, budget, ownStore }: Pass, mark: string, own: string): Promise<string> {
  const write = (onlyNew: boolean) =>
    budget.inTime(store.put(mark, Buffer.from(own), { contentType: 'application/json', onlyNew }));
  const read = async () => {
    const file = await budget.inTime(store.read(mark, { maxBytes: MAX_BYTES, fresh: true }));
    return file ? new TextDecoder().decode(file.bytes) : null;
  };
  if (ownStore) {
    await write(false);
    return own;
  }
  const before = await read();
  if (before !== null) return before;
  let refusal: unknown = new Error('the store does not show what it took');
  try {
    await write(true);
  } catch (error) {
    refusal = error;
  }
  // Another database may have marked the store in between: what lies there now decides.
  const after = await read();
  if (after === null) throw refusal;
  return after;
}

/** Made by the first night that asks; of two at once both read the one that was kept. */
async function readDatabaseId({ kysely, clock }: Pick<Context, 'kysely' | 'clock'>): Promise<string> {
  await kysely
    .insertInto('CronCursor')
    .values({ job: JOB, cursor: json({ id: randomHex(16) }), updatedAt: clock.now() })
    .onConflict((conflict) => conflict.column('job').doNothing())
    .execute();
  const { id } = await kysely
    .selectFrom('CronCursor')
    .select(sql<string>`"cursor" ->> 'id'`.as('id'))
    .where('job', '=', JOB)
    .executeTakeFirstOrThrow();
  return id;
}
