import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { audit } from '#lib/studio/closing/audit-events.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import { createTestDatabase, type TestDatabase } from '#tests/setup/database.ts';
import { type Door, honestDoor } from '#tests/simulation/door.ts';
import type { Night } from '#tests/simulation/leaving.ts';
import type { Asked, Change, Plan } from '#tests/simulation/plan.ts';
import { putAway } from '#tests/simulation/put-away.ts';
import { faultOf, runSeeds } from '#tests/simulation/run-seeds.ts';
import { piecesOf, without } from '#tests/simulation/shrink.ts';
import { type Closer, play } from '#tests/simulation/simulate.ts';

const SEED = 300_001;

let database: TestDatabase;
let connection: Connection;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect({ url: database.url, poolMax: 16 });
});
afterAll(async () => {
  await connection?.close();
  await database?.drop();
});

/**
 * A webhook that closes as it must, and that records an end in the audit once more when a video's is called for the second time, before or after it
 * ended: what it takes is two of them, in whatever order, hence the same history each time.
 */
function auditsTwice(): Closer {
  const called = new Map<string, number>();
  return async (ctx, generationId) => {
    const row = await readRow(ctx, generationId);
    if (row?.state === 'SUBMITTED') await advanceGeneration(ctx, row, { type: 'visit' }, 'webhook');
    if (row?.kind !== 'VIDEO') return;
    const times = (called.get(generationId) ?? 0) + 1;
    called.set(generationId, times);
    if (times !== 2) return;
    const data = { closedBy: 'webhook', costMicros: '0' } as const;
    await recordAudits(ctx.kysely, ctx, [audit(row, 'generation.completed', data)]);
  };
}
const FAULT = /VIDEO video \d+ .*: its end is told 2 times/;

/** Whether this fault, of whatever row, happens again. */
async function happensIn(plan: Plan, fault: string): Promise<boolean> {
  await putAway(connection);
  const { violations } = await play(connection, plan, { closer: auditsTwice() });
  return violations.some((violation) => faultOf(violation) === fault);
}

it('a planted violation is told with its seed, and with a history of which no part can be left out', async () => {
  const totals = await runSeeds([connection], {
    firstSeed: SEED,
    schedules: 1,
    closer: auditsTwice(),
    asynchronousOnly: true,
    histories: 1,
  });
  expect(totals.violations.length).toBeGreaterThan(0);
  for (const violation of totals.violations)
    expect(violation).toMatch(new RegExp(`^seed ${SEED}: ${FAULT.source}`));

  const [history = '', ...others] = totals.histories;
  const [smallest] = totals.smallest;
  expect(others).toEqual([]);
  expect(history).toMatch(new RegExp(`^seed ${SEED}: ${FAULT.source}\n`));
  if (!smallest) throw new Error('no history was looked for');
  // One request and the two webhooks about it; and who ended the row, where the database let both come before that.
  const [asked, ...more] = smallest.asked;
  expect([smallest.seed, more, smallest.month]).toEqual([SEED, [], null]);
  const acts = smallest.steps.flatMap((step) => step.acts);
  expect(acts.length).toBeLessThanOrEqual(3);
  expect(acts.filter(({ does }) => does === 'webhook')).toEqual(
    [1, 2].map(() => expect.objectContaining({ does: 'webhook', of: asked?.id })),
  );
  expect(history.match(new RegExp(`webhook of video ${asked?.id}\\b`, 'g'))).toHaveLength(2);

  const fault = faultOf(history.slice(`seed ${SEED}: `.length, history.indexOf('\n')));
  expect(await happensIn(smallest, fault)).toBe(true);
  for (const piece of piecesOf(smallest).flat()) {
    const less = without(smallest, new Set([piece]));
    // Which statement waits for which is the database's own matter: what happens at times without a part does not happen each time.
    const tries = [await happensIn(less, fault), await happensIn(less, fault), await happensIn(less, fault)];
    expect(tries, piece).toContain(false);
  }
});

const CALM = { skewMs: 0, seed: 1, troubles: [] };

/** One account, and what happens in it a minute apart: a change, or a request of its own; all goes well. */
function planOf(...moments: (Change | Asked['by'])[]): Plan {
  const asked: Asked[] = [];
  const steps = moments.map((moment, id) => {
    const act = { ...CALM, id };
    if (typeof moment !== 'string')
      return {
        afterMs: 60_000,
        acts: [{ ...act, does: 'change' as const, account: 0, change: moment, again: false }],
      };
    asked.push({
      ...CALM,
      id,
      account: 0,
      by: moment,
      kind: 'pictogram',
      later: true,
      again: false,
      script: { start: 'taken', ends: 'completed', readyMinutes: 0, reads: [], seed: 1 },
    });
    return { afterMs: 60_000, acts: [{ ...act, does: 'ask' as const, of: id }] };
  });
  return { seed: 1, accounts: 1, asked, steps, month: null, leaving: null };
}

/** A door that knows whom it let in once, and does not ask again. */
function remembers(): Door {
  const known = new Map<string, AccountActor>();
  return async (ctx, credential) => {
    const shown = 'secret' in credential ? credential.secret : credential.sessionId;
    const actor = known.get(shown) ?? (await honestDoor(ctx, credential));
    if (actor) known.set(shown, actor);
    return actor;
  };
}

it.each<[Change, Asked['by'], string]>([
  [{ what: 'revoke', key: 'key' }, 'key', 'its key was revoked'],
  [{ what: 'suspend' }, 'member', 'its member was suspended'],
  [{ what: 'forbid' }, 'member', 'its member lost the right'],
  [{ what: 'remove' }, 'member-key', 'its key was revoked'],
  [{ what: 'close' }, 'key', 'its account was closed'],
  [{ what: 'close' }, 'founder', 'its account was closed'],
])('after %o the %s submits nothing, and a door that remembers it is caught', async (change, by, why) => {
  const plan = planOf(by, change, by);
  await putAway(connection);
  const honest = await play(connection, plan);
  expect([honest.violations, honest.states]).toEqual([[], { COMPLETED: 1, 'SHUT OUT': 1 }]);
  const { violations } = await play(connection, plan, { door: remembers() });
  expect(violations).toEqual([`pictogram 2: submitted by the ${by} after ${why}`]);
});

it('whoever is let in again submits again, and so does the key that replaces another', async () => {
  await putAway(connection);
  const back: Change[] = [{ what: 'reactivate' }, { what: 'allow' }];
  const member = planOf({ what: 'suspend' }, { what: 'forbid' }, 'member', ...back, 'member');
  const key = planOf(
    { what: 'rotate', overlapDays: 0 },
    'key',
    { what: 'key-cap', key: 'key', capMicros: 1 },
    'key',
  );
  for (const [plan, states] of [
    [member, { COMPLETED: 1, 'SHUT OUT': 1 }],
    [key, { COMPLETED: 1, 'CANCELLED cap': 1, 'SHUT OUT': 1 }],
  ] as const) {
    const played = await play(connection, plan);
    expect([played.violations, played.states]).toEqual([[], states]);
  }
});

/** The 30 days go by, and nights that nothing disturbs. */
const leaving: Plan['leaving'] = { reopened: null, nights: [] };
const CLOSED: Change = { what: 'close' };

it('an account that stays closed is erased, and what comes late for it moves nothing; one that is opened again loses nothing', async () => {
  await putAway(connection);
  const left = await play(connection, { ...planOf('key', CLOSED, 'key'), leaving });
  expect([left.violations, left.states]).toEqual([[], { COMPLETED: 1, 'SHUT OUT': 1, ERASED: 1 }]);
  const plan = planOf('key', CLOSED, 'key', { what: 'reopen' }, 'key');
  const back = await play(connection, { ...plan, leaving });
  expect([back.violations, back.states]).toEqual([[], { COMPLETED: 2, 'SHUT OUT': 1 }]);
});

it.each<[string, Night, RegExp]>([
  [
    'forgets the files',
    (ctx) => eraseClosed({ ...ctx, files: { ...ctx.files, store: null } }),
    /^account 0: is erased, and generations\/\S+ lies in the store$/,
  ],
  ['does not come', async () => 0, /^account 0: was closed 30 days ago, and is not erased$/],
  [
    'moves a figure',
    async (ctx) => {
      await eraseClosed(ctx);
      await connection.pool.query(
        `UPDATE "Wallet" SET "lowToldAt" = now() WHERE "accountId" IN (SELECT "id" FROM "Account" WHERE "erasedAt" IS NOT NULL)`,
      );
    },
    /^account 0: is erased, and its figures have moved$/,
  ],
])('a night that %s is caught', async (_, night, fault) => {
  await putAway(connection);
  const { violations } = await play(connection, { ...planOf('key', CLOSED), leaving }, { night });
  expect(violations.length).toBeGreaterThan(0);
  for (const violation of violations) expect(violation).toMatch(fault);
});

it('a revocation that is told twice is caught', async () => {
  let known: AccountActor | null = null;
  const tellsAgain: Door = async (ctx, credential) => {
    const actor = await honestDoor(ctx, credential);
    if (!actor && known?.type === 'key')
      await recordAudits(ctx.kysely, ctx, [
        {
          action: 'key.revoked',
          accountId: known.accountId,
          subject: { type: 'developerKey', id: known.keyId },
        },
      ]);
    known = actor;
    return actor;
  };
  await putAway(connection);
  const plan = planOf('key', { what: 'revoke', key: 'key' }, 'key');
  const { violations } = await play(connection, plan, { door: tellsAgain });
  expect(violations).toEqual([expect.stringMatching(/^key_\w+: its end is told 2 times$/)]);
});
