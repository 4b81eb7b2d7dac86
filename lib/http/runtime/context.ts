import type { Actor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { stdoutLogger } from '#lib/core/log.ts';
import { connection } from './connection.ts';
import { stopping } from './stopping.ts';

/** The context of one request of this process. */
export function createContext<A extends Actor>(
  actor: A,
  requestId: string = createId('request'),
): Context<A> {
  const { db, kysely } = connection();
  return { actor, db, kysely, clock: systemClock, log: stdoutLogger, requestId, stopping: stopping() };
}
