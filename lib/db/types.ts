import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { PrismaClient } from './generated/prisma/client.ts';
import type { DB } from './generated/tables.ts';

/** Prisma: plain reads and writes of one table, outside transactions (docs/decisions/0010-data-layer.md). */
export type Database = PrismaClient;
/** Kysely: everything in which the database decides. */
export type Queries = Kysely<DB>;
/** What `transaction` hands to its work. */
export type Transaction = KyselyTransaction<DB>;
/** Where a statement runs: by itself, or inside a transaction. */
export type Executor = Queries | Transaction;
export type { DB };
