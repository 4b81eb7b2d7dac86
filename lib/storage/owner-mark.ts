import { sql } from 'kysely';
import { z } from 'zod';
import type { Queries } from '#lib/db/types.ts';
import type { FileStore } from './file-store.ts';

/** Its row of `CronCursor`: the identifier that this database was given once. A copy or a backup of it has the same. */
export const OWNER_JOB = 'store';
/** A mark has some hundred bytes. */
const MAX_BYTES = 1024;

/** What a mark says of its owner: the database, and at which address its service is reached, which no copy of it shares; null: at none. */
export type StoreOwner = { database: string; origin: string | null };

/**
 * The owner of a store, by its mark. `unaddressed`: this database, but the mark, of an earlier version or of a service without an address,
 * does not tell it from its copies. `copy`: a service at another address with the same identifier: one of the two runs on a copy of the
 * other’s database.
 */
export type Ownership = 'unmarked' | 'own' | 'unaddressed' | 'other' | 'copy';

const markSchema = z.object({ database: z.string(), origin: z.string().nullable().default(null) });

/** The content of the mark that makes a store this owner's. */
export function markOf({ database, origin }: StoreOwner): string {
  return JSON.stringify(origin === null ? { database } : { database, origin });
}

/** The ownership that a mark means for this owner; null: there is no mark. An unreadable one is another's. */
export function ownershipBy(mark: string | null, owner: StoreOwner): Ownership {
  if (mark === null) return 'unmarked';
  const said = readMark(mark);
  if (said?.database !== owner.database) return 'other';
  if (said.origin === owner.origin) return 'own';
  return said.origin === null ? 'unaddressed' : 'copy';
}

function readMark(text: string): StoreOwner | undefined {
  try {
    return markSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The current content of the mark; null: there is none. Throws when the store does not answer. */
export async function readMarkOf(store: FileStore, pathname: string): Promise<string | null> {
  const file = await store.read(pathname, { maxBytes: MAX_BYTES, fresh: true });
  return file ? new TextDecoder().decode(file.bytes) : null;
}

/** The identifier that this database created on the first night with a store; null before. */
export async function findDatabaseId(kysely: Queries): Promise<string | null> {
  const row = await kysely
    .selectFrom('CronCursor')
    .select(sql<string>`"cursor" ->> 'id'`.as('id'))
    .where('job', '=', OWNER_JOB)
    .executeTakeFirst();
  return row?.id ?? null;
}
