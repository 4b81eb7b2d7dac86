import type { Database, Queries } from '#lib/db/types.ts';
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';

/**
 * What every verb receives first: who acts, on which database, at what time. Built at each entry point
 * (lib/http, pages, scripts, tests); a verb never reads a global.
 */
export type Context<A extends Actor = Actor> = {
  actor: A;
  /** Prisma client: plain reads and writes of one table, outside transactions. */
  db: Database;
  /** Kysely: everything in which the database decides, and every transaction (`transaction(ctx, work)`). */
  kysely: Queries;
  clock: Clock;
  log: Logger;
  /** Identifier of the request, or of the job's run. */
  requestId: string;
  /** Of a scheduled job: the longest that its transactions wait for a lock. Nobody is there to give it up. */
  lockWaitMs?: number;
  /** Aborted once this instance is asked to stop: work that another can go on with ends then, and is given back. */
  stopping?: AbortSignal;
};
