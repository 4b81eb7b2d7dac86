import { describe, expect, test } from 'vitest';
import { purgeProposals } from '#lib/brain/proposals/purge-proposals.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Database } from '#lib/db/types.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { testContext } from '#tests/factories/context.ts';
import { answeredQueries } from '#tests/factories/statements/answered-queries.ts';
import type { Statement } from '#tests/factories/statements/intercepted-queries.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const DAY_MS = 86_400_000;
const db = {} as Database;

/** A night of one of the purges, in which each statement removes as many rows as `removing` says, and the statements that it sent. */
function night(removing: (table: string, statement: Statement) => number, clock = manualClock(NOW)) {
  const sent: Statement[] = [];
  const kysely = answeredQueries((statement) => {
    sent.push(statement);
    return { affected: removing(/from "(\w+)"/i.exec(statement.text)?.[1] ?? '', statement) };
  });
  return { sent, ctx: testContext({ db, kysely }, { type: 'system', job: 'retention' }, { clock }) };
}

describe('what signing in and webhooks leave behind', () => {
  test('is kept for its own time after the moment that dates it, and goes the oldest first', async () => {
    const { ctx, sent } = night(() => 0);
    await purgeExpired(ctx, { batch: 7 });
    const told = sent.map(({ text, parameters: [before, most] }) => {
      const [, table, from, column, order] =
        /^DELETE FROM "(\w+)" WHERE ctid = ANY\(ARRAY\(\s*SELECT ctid FROM "(\w+)" WHERE "(\w+)" < \$1 ORDER BY "(\w+)" LIMIT \$2\s+FOR UPDATE SKIP LOCKED\)\)$/.exec(
          text,
        ) ?? [];
      expect([from, order, most]).toEqual([table, column, 7]);
      return [table, column, (NOW.getTime() - (before as Date).getTime()) / DAY_MS];
    });
    expect(told).toEqual([
      ['SignInCode', 'expiresAt', 1],
      ['RateLimitWindow', 'startsAt', 2],
      ['Session', 'expiresAt', 90],
      ['SignInFailure', 'updatedAt', 90],
      ['KnownBrowser', 'lastSeenAt', 400],
      ['SpentChallenge', 'expiresAt', 1],
      ['WebhookDelivery', 'at', 14],
      ['ShareLink', 'expiresAt', 30],
      ['WebhookThreshold', 'at', 60],
    ]);
  });

  test('goes in batches of 5,000 until one is not full, each kind counted under its name', async () => {
    const left = new Map([
      ['SignInCode', 12_000],
      ['Session', 5_000],
      ['ShareLink', 3],
    ]);
    const { ctx, sent } = night((table, { parameters }) => {
      const removed = Math.min(left.get(table) ?? 0, Number(parameters[1]));
      left.set(table, (left.get(table) ?? 0) - removed);
      return removed;
    });
    expect(await purgeExpired(ctx)).toEqual({
      codes: 12_000,
      windows: 0,
      sessions: 5_000,
      failures: 0,
      browsers: 0,
      challenges: 0,
      deliveries: 0,
      shares: 3,
      thresholds: 0,
    });
    // Three batches of codes, and a second one of sessions that finds nothing.
    expect(sent).toHaveLength(9 + 2 + 1);
  });

  test('no batch begins once twenty seconds are over, and what is left stays; none takes the time of another', async () => {
    let elapsedMs = 1_000;
    const { ctx, sent } = night(() => {
      elapsedMs += 10_000;
      return 5_000;
    });
    const removed = await purgeExpired(ctx, { elapsedMs: () => elapsedMs });
    expect([removed.codes, removed.windows, removed.sessions, sent.length]).toEqual([5_000, 5_000, 0, 2]);
    // However many codes there are, the last purge gets its batch before the second batch of the first.
    const round = await purgeExpired(ctx, { elapsedMs: () => elapsedMs, budgetMs: 95_000 });
    expect([round.codes, round.windows, round.thresholds]).toEqual([10_000, 5_000, 5_000]);
    expect((await purgeExpired(ctx, { elapsedMs: () => elapsedMs, budgetMs: 0 })).codes).toBe(0);
  });
});

describe('proposals that nobody answered', () => {
  test('go from the moment they expire, the first to expire first, a thousand at once', async () => {
    const { ctx, sent } = night(() => 0);
    expect(await purgeProposals(ctx)).toBe(0);
    expect(sent.map(({ text, parameters }) => [text, parameters])).toEqual([
      [
        'delete from "MemoryProposal" where id = any(array((select "id" from "MemoryProposal" where "expiresAt" <= $1 order by "expiresAt" limit $2 for update skip locked)))',
        [NOW, 1_000],
      ],
    ]);
  });

  test('go until a batch is not full, and are counted together', async () => {
    const batches = [1_000, 1_000, 999, 1_000];
    const { ctx, sent } = night(() => batches.shift() ?? 0);
    expect([await purgeProposals(ctx), sent.length]).toEqual([2_999, 3]);
  });

  test('wait for the next night once twenty seconds are over', async () => {
    const clock = manualClock(NOW);
    const { ctx, sent } = night(() => {
      clock.advance(10_000);
      return 1_000;
    }, clock);
    expect([await purgeProposals(ctx), sent.length]).toEqual([2_000, 2]);
    // Proposals that expire meanwhile are left to another night.
    expect(sent.map(({ parameters }) => parameters[0])).toEqual([NOW, NOW]);
  });
});
