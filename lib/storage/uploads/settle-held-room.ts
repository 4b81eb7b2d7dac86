import type { AccountActor, MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { readJobCursor, saveJobCursor } from '#lib/core/resource-limits/job-cursor.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import type { FilesContext } from '../context.ts';
import { readObjectFacts } from '../facts/object-facts.ts';
import type { FileStore, StoredFile } from '../file-store.ts';
import { lastingReason } from '../keep-reason.ts';
import { inStoreTime } from '../retention/budget.ts';
import { ADDED_TO_STEM, holdStorage } from './storage-quota.ts';

/** How long after the grant a file may arrive: its address is valid for a quarter of an hour, and its last bytes come later. */
const ARRIVES_WITHIN_MS = 2 * 3_600_000;
/** Holds in one statement. */
const AT_ONCE = 100;
/** Time limit in a nightly run, and for a member who waits for room; the rest keeps its room until the next time. */
const MAX_MS = 20_000;
const ASKING_MS = 5_000;
/** Time limit for one name, whose list of files the store alone bounds: the names after it have their turn. */
const NAME_MS = 5_000;
/** Its row of `CronCursor`. */
const JOB = 'held-room';
const ADDED = new RegExp(ADDED_TO_STEM);

type Listed = Omit<StoredFile, 'contentType'>;

/**
 * Settles expired holds by asking the store what was uploaded under their names: unused room is released; an unrecorded upload keeps as much
 * as its size, until the orphan pass deletes it. `accountId`: one account only. A night continues after the one before, and begins again after
 * the last. Returns how many were released; the error of one is thrown once the others were tried.
 */
export async function settleHeldRoom(
  ctx: FilesContext,
  input: { accountId?: string } = {},
  within?: TimeLimit,
): Promise<number> {
  const { store } = ctx.files;
  if (!store) return 0;
  const limit = timeLimit(ctx, MAX_MS, within);
  const now = ctx.clock.now();
  const isOneAccount = input.accountId !== undefined;
  const asked = new Set<string>();
  let settled = 0;
  let reached = '';
  const failures: unknown[] = [];
  for await (const hold of holdsInTurn(
    ctx,
    { ...input, now },
    isOneAccount ? '' : await readJobCursor(ctx, JOB),
  )) {
    if (limit.isOver()) break;
    reached = hold.id;
    const name = `${hold.accountId} ${hold.stem}`;
    if (asked.has(name)) continue;
    asked.add(name);
    try {
      settled += await settleName(ctx, hold, { store, limit, now });
    } catch (error) {
      // An error of one hold must not stop the others from being settled.
      if (!isOneAccount)
        ctx.log.warn('storage.room_unsettled', { accountId: hold.accountId, ...faultFields(error) });
      failures.push(error);
    }
  }
  if (!isOneAccount && reached !== '') await saveJobCursor(ctx, JOB, reached);
  // For a waiting member, released room counts more than an error.
  if (failures.length > 0 && !(isOneAccount && settled > 0)) throw failures[0];
  return settled;
}

type Hold = { id: string; accountId: string; stem: string; bytes: bigint };
type Asking = { store: FileStore; limit: TimeLimit; now: Date };

/**
 * Settles all holds of a name that are over: each answers for one of the files that lie under it, in the order of the holds, whoever settles
 * them and from whichever on; a night and a member who waits for room come to the same. Returns how many gave their room back.
 */
async function settleName(
  ctx: FilesContext,
  { accountId, stem }: Hold,
  { store, limit, now }: Asking,
): Promise<number> {
  // Read before the store is asked: a file recorded in between removes its own hold.
  const holds = await readOver(ctx, { accountId, stem, after: '', to: null, now });
  if (holds.length === 0) return 0;
  const lying = await unrecordedSizes(ctx, { store, stem, limit: limit.upTo(NAME_MS) });
  if (!lying) return 0;
  let settled = 0;
  for (const [index, { id, bytes }] of holds.entries()) {
    const size = lying[index];
    if (size === undefined) {
      const { numDeletedRows } = await ctx.kysely
        .deleteFrom('StorageHold')
        .where('id', '=', id)
        .where('expiresAt', '<=', now)
        .executeTakeFirst();
      settled += Number(numDeletedRows);
    } else if (size !== bytes)
      await ctx.kysely.updateTable('StorageHold').set({ bytes: size }).where('id', '=', id).execute();
  }
  return settled;
}

/** The holds that are over: those after `place`, then those before and the one at it. */
async function* holdsInTurn(
  ctx: FilesContext,
  input: { accountId?: string; now: Date },
  place: string,
): AsyncGenerator<Hold> {
  const turns = [
    [place, null],
    ['', place],
  ] as const;
  for (const [from, to] of turns) {
    if (to === '') return;
    for (let after = from; ; ) {
      const holds = await readOver(ctx, { ...input, after, to });
      yield* holds;
      if (holds.length < AT_ONCE) break;
      after = holds.at(-1)?.id ?? '';
    }
  }
}

/**
 * `holdStorage`; where it finds no room, once more after the account's own holds that are over were settled. Errors: those of `holdStorage`.
 */
export async function holdRoom(
  ctx: FilesContext<MemberActor> | FilesContext<AccountActor>,
  input: { stem: string; bytes: number; expiresAt: Date },
): Promise<void> {
  try {
    await holdStorage(ctx, input);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.options.detail !== 'storage-full') throw error;
    const { accountId } = ctx.actor;
    const within = timeLimit(ctx, ASKING_MS);
    const settled = await settleHeldRoom(ctx, { accountId }, within).catch((fault: unknown) => {
      // The member gets the « no room » refusal; the nightly run tries again.
      ctx.log.warn('storage.room_unsettled', { accountId, ...faultFields(fault) });
      return 0;
    });
    if (settled === 0) throw error;
    await holdStorage(ctx, input);
  }
}

function readOver(
  ctx: FilesContext,
  input: { accountId?: string; stem?: string; after: string; to: string | null; now: Date },
) {
  const { accountId, stem, after, to, now } = input;
  return ctx.kysely
    .selectFrom('StorageHold')
    .select(['id', 'accountId', 'stem', 'bytes'])
    .where('id', '>', after)
    .$if(to !== null, (query) => query.where('id', '<=', to as string))
    .where('expiresAt', '<=', now)
    .where('createdAt', '<=', new Date(now.getTime() - ARRIVES_WITHIN_MS))
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId as string))
    .$if(stem !== undefined, (query) => query.where('stem', '=', stem as string))
    .orderBy('id')
    .limit(AT_ONCE)
    .execute();
}

/**
 * How large the files are that lie under a granted name and that nothing names, the largest first; null: the time was over before all that
 * begin with it were seen.
 */
async function unrecordedSizes(
  ctx: FilesContext,
  { store, stem, limit }: { store: FileStore; stem: string; limit: TimeLimit },
): Promise<bigint[] | null> {
  const sizes: bigint[] = [];
  if (isWholeName(stem)) {
    const file = await inStoreTime(store.head(stem));
    sizes.push(...(await sizesOfUnrecorded(ctx, file ? [file] : [])));
  } else {
    let cursor: string | undefined;
    do {
      if (limit.isOver()) return null;
      const listed = await inStoreTime(store.list({ prefix: `${stem}-`, ...(cursor ? { cursor } : {}) }));
      const granted = listed.files.filter(({ pathname }) => ADDED.test(pathname.slice(stem.length)));
      sizes.push(...(await sizesOfUnrecorded(ctx, granted)));
      cursor = listed.cursor;
    } while (cursor);
  }
  return sizes.sort((a, b) => (a > b ? -1 : 1));
}

async function sizesOfUnrecorded(ctx: FilesContext, files: readonly Listed[]): Promise<bigint[]> {
  // Their age does not matter here, whether or not the store reports it.
  const named = files.map(({ pathname }) => ({ pathname, uploadedAt: ctx.clock.now() }));
  const facts = await readObjectFacts(ctx.kysely, named);
  return files.flatMap(({ bytes }, index) => {
    const fact = facts[index];
    return fact && lastingReason(fact) === null ? BigInt(bytes) : [];
  });
}

/** Whether a granted name is the file's very name: it has its extension, or is one of an import, to which no store adds anything. */
function isWholeName(stem: string): boolean {
  return stem.startsWith('imports/') || stem.slice(stem.lastIndexOf('/')).includes('.');
}
