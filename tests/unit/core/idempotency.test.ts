import { describe, expect, test } from 'vitest';
import type { AccountActor } from '#lib/core/actor.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import type { Database } from '#lib/db/types.ts';
import { contentKey } from '#lib/mcp/tools/content-key.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { findReplay, fingerprintOf, isKeyTaken } from '#lib/studio/submission/find-replay.ts';
import { findSent, findVariants, variantKey } from '#lib/studio/submission/find-variants.ts';
import { testContext } from '#tests/factories/context.ts';
import { answeredQueries } from '#tests/factories/statements/answered-queries.ts';
import type { Statement } from '#tests/factories/statements/intercepted-queries.ts';

const ACTOR: AccountActor = {
  type: 'member',
  accountId: 'acc_1',
  memberId: 'mbr_1',
  sessionId: 'ses_1',
  operator: false,
  role: 'FOUNDER',
  permissions: [],
};
const fingerprint = (of: string) => Buffer.from(sha256(of));

/** A member whose journal returns these rows, and the statements that were sent. */
function journal(rows: readonly object[]) {
  const asked: Statement[] = [];
  const kysely = answeredQueries((statement) => {
    asked.push(statement);
    return { rows };
  });
  return { asked, ctx: testContext({ db: {} as Database, kysely }, ACTOR) as StudioContext<AccountActor> };
}
const conflict = { code: 'idempotency_conflict' };

describe('an idempotency key', () => {
  test('is of 1 to 200 visible ASCII characters', () => {
    const takes = (text: unknown) => idempotencyKey.safeParse(text).success;
    expect([takes('a'), takes('!~'), takes('k'.repeat(200))]).toEqual([true, true, true]);
    for (const text of ['', 'k'.repeat(201), 'a b', 'é', 'a\n', '\u007f', undefined, 4])
      expect(takes(text), String(text)).toBe(false);
  });

  test('made of what an assistant asks is the same within the same UTC day, for the same things in the same order', () => {
    const morning = new Date('2026-11-21T00:00:00.000Z');
    const night = new Date('2026-11-21T23:59:59.999Z');
    const key = contentKey(morning, 'spc_1', null, 'Titre');
    const digest = Buffer.from(sha256('["2026-11-21","spc_1",null,"Titre"]')).toString('hex');
    expect(key).toBe(`mcp-${digest}`);
    expect(contentKey(night, 'spc_1', null, 'Titre')).toBe(key);
    const others = [
      contentKey(new Date('2026-11-22T00:00:00.000Z'), 'spc_1', null, 'Titre'),
      contentKey(morning, 'spc_1', 'Titre', null),
      contentKey(morning, 'spc_1', null, 'Titre', 'Corps'),
      contentKey(morning, 'spc_1Titre', null),
    ];
    expect(new Set([key, ...others]).size).toBe(5);
    expect(idempotencyKey.safeParse(key).success).toBe(true);
  });
});

describe('what a request means', () => {
  const same = (one: object, other: object) => Buffer.compare(fingerprintOf(one), fingerprintOf(other)) === 0;

  test('is the same in another order of its fields, at any depth, and is SHA-256 of that', () => {
    expect(same({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(same({ a: [{ b: 1, c: 2 }] }, { a: [{ c: 2, b: 1 }] })).toBe(true);
    expect(Buffer.from(fingerprintOf({ b: null, a: 'é', c: [2, 1] }))).toEqual(
      fingerprint('{"a":"é","b":null,"c":[2,1]}'),
    );
  });

  test('is another with another value, field or order of a list', () => {
    expect(same({ a: 1 }, { a: 2 })).toBe(false);
    expect(same({ a: 1 }, { b: 1 })).toBe(false);
    expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(same({ a: null }, {})).toBe(false);
    expect(same({ a: [1] }, { a: { 0: 1 } })).toBe(false);
  });
});

describe('the row of a key', () => {
  const wanted = { key: 'k', fingerprint: fingerprint('one') };

  test('is looked for among this member’s alone; none is none', async () => {
    const { ctx, asked } = journal([]);
    expect(await findReplay(ctx, wanted)).toBeNull();
    expect(asked.map(({ text, parameters }) => [text.split(' from ')[1], parameters])).toEqual([
      ['"Generation" where "memberId" = $1 and "idempotencyKey" = $2', ['mbr_1', 'k']],
    ]);
  });

  test('is given again to the same request, and conflicts with another, or with one that left no fingerprint', async () => {
    const row = { id: 'gen_1', idempotencyFingerprint: fingerprint('one') };
    expect(await findReplay(journal([row]).ctx, wanted)).toMatchObject({ id: 'gen_1', artifacts: [] });
    for (const idempotencyFingerprint of [fingerprint('other'), null]) {
      const { ctx } = journal([{ ...row, idempotencyFingerprint }]);
      await expect(findReplay(ctx, wanted)).rejects.toMatchObject(conflict);
    }
  });

  test('was taken meanwhile when its own constraint says so, and by nothing else', () => {
    const constraint = 'Generation_memberId_idempotencyKey_key';
    expect(isKeyTaken(Object.assign(new Error(), { code: '23505', constraint }))).toBe(true);
    expect(isKeyTaken({ code: '23505', constraint: 'Generation_pkey' })).toBe(false);
    expect(isKeyTaken({ code: '23503', constraint })).toBe(false);
    for (const nothing of [null, undefined, 'fault']) expect(isKeyTaken(nothing)).toBe(false);
  });
});

describe('the rows of a request for several', () => {
  const wanted = [1, 2].map((at) => ({ key: variantKey('k', at), fingerprint: fingerprint(`v${at}`) }));
  const row = (at: number) => ({ id: `gen_${at}`, idempotencyFingerprint: fingerprint(`v${at}`) });

  test('are found by a key for each, in their order, among this member’s of this account', async () => {
    const { ctx, asked } = journal([row(1), row(2)]);
    expect((await findVariants(ctx, wanted))?.map(({ id }) => id)).toEqual(['gen_1', 'gen_2']);
    const [one] = asked;
    expect(one?.text.split(' from ')[1]).toMatch(
      /^"Generation" where "accountId" = \$1 and "memberId" = \$2 and .*"idempotencyKey".* order by "idempotencyKey"$/,
    );
    expect(one?.parameters).toEqual(['acc_1', 'mbr_1', ['k', 'k#2', 'k#1']]);
    expect(await findVariants(journal([]).ctx, wanted)).toBeNull();
  });

  test.each([
    ['one is not there', [row(1)]],
    ['one was another request’s', [row(1), row(3)]],
    ['the first was another request’s', [row(3), row(2)]],
    ['one left no fingerprint', [row(1), { ...row(2), idempotencyFingerprint: null }]],
  ])('conflict when %s', async (_, rows) => {
    await expect(findVariants(journal(rows).ctx, wanted)).rejects.toMatchObject(conflict);
  });

  test('that were sent are looked for under the key itself and under four more, none of which has to be there', async () => {
    const { ctx, asked } = journal([row(1)]);
    expect((await findSent(ctx, { idempotencyKey: 'k' })).map(({ id }) => id)).toEqual(['gen_1']);
    expect(asked[0]?.parameters).toEqual(['acc_1', 'mbr_1', ['k', 'k#1', 'k#2', 'k#3', 'k#4']]);
    expect(await findSent(journal([]).ctx, { idempotencyKey: 'k' })).toEqual([]);
  });
});
