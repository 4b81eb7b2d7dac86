import type { Actor } from '#lib/core/actor.ts';
import { type Clock, systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import type { TestService } from '#tests/setup/service.ts';

export type LogLine = { level: string; event: string } & Record<string, unknown>;

/** A verb's context over a test database; `lines` collects what it logs. */
export function testContext<A extends Actor>(
  service: Pick<TestService, 'db' | 'kysely'>,
  actor: A,
  options: { clock?: Clock; lines?: LogLine[] } = {},
): Context<A> {
  const clock = options.clock ?? systemClock;
  return {
    actor,
    db: service.db,
    kysely: service.kysely,
    clock,
    log: createLogger({
      write: (line) => options.lines?.push(JSON.parse(line) as LogLine),
      now: () => clock.now(),
      minLevel: 'debug',
    }),
    requestId: createId('request'),
  };
}
