import { describe, expect, test } from 'vitest';
import { quotaRead } from '#lib/brain/quota/get-quota.ts';
import { setAllowance } from '#lib/brain/quota/set-allowance.ts';
import type { Actor, MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Database } from '#lib/db/types.ts';
import { judgeHold, STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { testContext } from '#tests/factories/context.ts';
import { answeredQueries, auditedBy } from '#tests/factories/statements/answered-queries.ts';
import type { Statement } from '#tests/factories/statements/intercepted-queries.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const MB = 1024n ** 2n;

/** An actor who sets the quota of an account that exists or not, and the statements that were sent. */
function scene<A extends Actor>(actor: A, accounts: readonly object[] = [{ id: 'acc_2' }]) {
  const sent: Statement[] = [];
  const kysely = answeredQueries((statement) => {
    sent.push(statement);
    return /"Account"/.test(statement.text) ? { rows: accounts } : undefined;
  });
  const texts = () => sent.map(({ text, parameters }) => [text, ...parameters]);
  const ctx = testContext({ db: {} as Database, kysely }, actor, { clock: manualClock(NOW) });
  return { sent, texts, ctx };
}
const admin = { type: 'admin' } as const;
const told = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string; options: { message?: string; problems?: unknown } }) => [
      error.code,
      error.options.message,
      error.options.problems,
    ],
  );

describe('the reads of a month, as an account sees them', () => {
  const read = quotaRead(NOW);
  const view = (limit: number, used: number) => read.view([{ limit, used, activated: true }]);

  test('are those of the UTC month, and what is left of them is never less than nothing', () => {
    expect(read.params).toEqual({ month: '2026-11' });
    expect(view(100, 40)).toEqual({
      object: 'quota',
      limit: 100,
      used: 40,
      remaining: 60,
      resetsAt: '2026-12-01T00:00:00.000Z',
      activated: true,
    });
    expect([view(100, 100).remaining, view(100, 101).remaining]).toEqual([0, 0]);
  });

  test('of no account are none', () => {
    expect(read.view([])).toMatchObject({ limit: 0, used: 0, remaining: 0, activated: false });
  });
});

describe('what an account has bought', () => {
  test('is a whole number from 0 to a hundred million, in units or in reads, or no contract at all', async () => {
    for (const value of [0, 100_000_000]) {
      expect(
        await told(setAllowance(scene(admin).ctx, { accountId: 'acc_2', capacityCu: value })),
      ).toBeNull();
      const reads = { accountId: 'acc_2', contractualReads: value };
      expect(await told(setAllowance(scene(admin).ctx, reads))).toBeNull();
    }
    expect(
      await told(setAllowance(scene(admin).ctx, { accountId: 'acc_2', contractualReads: null })),
    ).toBeNull();
    for (const value of [-1, 100_000_001, 1.5, Number.NaN])
      for (const field of ['capacityCu', 'contractualReads'] as const) {
        const { ctx, sent } = scene(admin);
        const bought = field === 'capacityCu' ? { capacityCu: value } : { contractualReads: value };
        expect(await told(setAllowance(ctx, { accountId: 'acc_2', ...bought }))).toEqual([
          'invalid_request',
          `${field}\u00a0: il faut un nombre entier entre 0 et 100000000.`,
          [{ field, message: 'Nombre entier positif attendu.' }],
        ]);
        expect(sent).toEqual([]);
      }
  });

  test('is written and audited together, and what is not said stays', async () => {
    const { ctx, texts, sent } = scene(admin, [{ id: 'acc_2', capacityCu: 7, contractualReads: 9 }]);
    expect(await setAllowance(ctx, { accountId: 'acc_2', capacityCu: 7 })).toMatchObject({ id: 'acc_2' });
    const [begin, update, , commit] = texts();
    expect([begin, update, commit]).toEqual([
      ['begin'],
      [
        'update "Account" set "capacityCu" = $1, "updatedAt" = $2 where "id" = $3 and "erasingAt" is null returning *',
        7,
        NOW,
        'acc_2',
      ],
      ['commit'],
    ]);
    expect(auditedBy(sent)).toMatchObject([
      {
        action: 'account.allowance_set',
        accountId: 'acc_2',
        actor: 'admin',
        subjectType: 'account',
        subjectId: 'acc_2',
        data: { capacityCu: 7, contractualReads: 9 },
      },
    ]);
  });

  test('is nothing for an account that is not there, and nothing is audited', async () => {
    const { ctx, texts } = scene(admin, []);
    const gone = told(setAllowance(ctx, { accountId: 'acc_9', capacityCu: 1 }));
    expect(await gone).toEqual(['not_found', 'Ce compte est introuvable.', undefined]);
    expect(texts().map(([text]) => String(text).split(' ')[0])).toEqual([
      'begin',
      'update',
      'select',
      'rollback',
    ]);
  });
});

describe('room for one more file', () => {
  const use = {
    quotaBytes: 100n * MB,
    storedBytes: 60n * MB,
    binnedBytes: 0n,
    heldBytes: 30n * MB,
    sending: 0,
    nextFreeAt: null as Date | null,
  };
  const judge = (change: Partial<typeof use>, bytes: bigint) => judgeHold({ ...use, ...change }, bytes, NOW);

  test('is there up to the quota to the byte, with what is stored and what is on its way', () => {
    expect(judge({}, 10n * MB)).toBeNull();
    expect(judge({}, 10n * MB + 1n)).toMatchObject({
      code: 'conflict',
      options: {
        detail: 'storage-full',
        message: expect.stringMatching(/occupent 90\u00a0Mo sur 100\u00a0Mo\. Rien n’a été envoyé/),
      },
    });
    expect(judge({ storedBytes: 0n, heldBytes: 0n }, 100n * MB)).toBeNull();
    expect(judge({ storedBytes: 100n * MB, heldBytes: 0n }, 1n)).toMatchObject({ code: 'conflict' });
  });

  test('says in megabytes, rounded up, what the bin takes of it when it takes any', () => {
    const full = judge({ binnedBytes: 1n, storedBytes: 60n * MB + 1n }, 100n * MB);
    expect(full?.options.message).toMatch(
      /occupent 91\u00a0Mo sur 100\u00a0Mo, dont 1\u00a0Mo dans la corbeille\./,
    );
  });

  test('is none where none is included: the refusal says so, and neither what is used nor what to delete', () => {
    const none = { quotaBytes: 0n, storedBytes: 0n, heldBytes: 0n };
    expect(judge(none, 0n)).toBeNull();
    for (const use of [none, { ...none, storedBytes: MB, binnedBytes: MB }])
      expect(judge(use, 1n)).toMatchObject({
        code: 'conflict',
        options: {
          detail: 'storage-full',
          message:
            'Aucune place n’est comprise dans ce compte pour des fichiers\u00a0: rien n’a été envoyé. Demandez-en à l’exploitant du service.',
        },
      });
  });

  test('of one megabyte is refused in words that agree with every figure', () => {
    const one = { quotaBytes: MB, storedBytes: 0n, heldBytes: 0n };
    expect(judge(one, 2n * MB)?.options.message).toMatch(/occupent 0\u00a0Mo sur 1\u00a0Mo\./);
    expect(judge({ ...one, storedBytes: MB }, 1n)?.options.message).toMatch(
      /occupent 1\u00a0Mo sur 1\u00a0Mo\./,
    );
  });

  test('is there for ten files of a member at once; the eleventh waits until the first of them ends, a second at least', () => {
    expect(STORAGE_LIMITS.sendingPerMember).toBe(10);
    expect(judge({ sending: 9 }, 1n)).toBeNull();
    const wait = (nextFreeAt: Date | null) => {
      const refusal = judge({ sending: 10, nextFreeAt }, 1n);
      expect(refusal).toMatchObject({
        code: 'rate_limited',
        options: { message: expect.stringMatching(/^Vous envoyez déjà 10 fichiers à la fois\./) },
      });
      return refusal?.options.retryAfterSeconds;
    };
    const inMs = (ms: number) => new Date(NOW.getTime() + ms);
    expect([inMs(2_000), inMs(2_001), inMs(1), inMs(0), inMs(-5_000), null].map(wait)).toEqual([
      2, 3, 1, 1, 1, 60,
    ]);
    // An account that sends too many files is told so, whether or not there is room.
    expect(judge({ sending: 10, storedBytes: 200n * MB }, 1n)).toMatchObject({ code: 'rate_limited' });
  });

  test('of an account is 20 GiB unless it was told otherwise', () => {
    expect(STORAGE_LIMITS.quotaBytes).toBe(21_474_836_480);
  });
});

describe('a quota of files', () => {
  const member: MemberActor = {
    type: 'member',
    accountId: 'acc_1',
    memberId: 'mbr_1',
    sessionId: 'ses_1',
    operator: false,
    role: 'FOUNDER',
    permissions: [],
  };

  test('is set by the operator alone', async () => {
    const { ctx, sent } = scene<Actor>(member);
    expect((await told(setStorageQuota(ctx, { accountId: 'acc_2', bytes: 1n })))?.[0]).toBe('forbidden');
    expect(sent).toEqual([]);
    const operator = scene<Actor>({ ...member, operator: true });
    expect(await told(setStorageQuota(operator.ctx, { accountId: 'acc_2', bytes: 1n }))).toBeNull();
  });

  test('is of nothing at least and of a pebibyte at most', async () => {
    const set = (bytes: bigint) => told(setStorageQuota(scene(admin).ctx, { accountId: 'acc_2', bytes }));
    expect([await set(0n), await set(1024n ** 5n)]).toEqual([null, null]);
    for (const bytes of [-1n, 1024n ** 5n + 1n])
      expect(await set(bytes)).toEqual([
        'invalid_request',
        'Le quota de fichiers est compris entre 0 et 1\u00a0048\u00a0576 Go.',
        [{ field: 'gigabytes', message: 'Entre 0 et 1\u00a0048\u00a0576 Go.' }],
      ]);
  });

  test.each([
    [
      5n,
      [
        'insert into "StorageQuota" ("accountId", "bytes", "updatedAt") values ($1, $2, $3) on conflict ("accountId") do update set "bytes" = $4, "updatedAt" = $5',
        'acc_2',
        5n,
        NOW,
        5n,
        NOW,
      ],
      '5',
    ],
    [null, ['delete from "StorageQuota" where "accountId" = $1', 'acc_2'], null],
  ])('of %s is written under a lock of the account, and audited with it', async (bytes, written, audited) => {
    const { ctx, texts, sent } = scene(admin);
    await setStorageQuota(ctx, { accountId: 'acc_2', bytes });
    const [begin, lock, write, , commit, ...others] = texts();
    expect([begin, lock, write, commit, others]).toEqual([
      ['begin'],
      ['select "erasingAt", "erasedAt" from "Account" where "id" = $1 for share', 'acc_2'],
      written,
      ['commit'],
      [],
    ]);
    expect(auditedBy(sent)).toMatchObject([
      {
        action: 'account.storage_set',
        accountId: 'acc_2',
        subjectType: 'account',
        subjectId: 'acc_2',
        data: { bytes: audited },
      },
    ]);
  });

  test('of an account that is not there is not written', async () => {
    const { ctx, texts } = scene(admin, []);
    const gone = await told(setStorageQuota(ctx, { accountId: 'acc_9', bytes: 1n }));
    expect(gone).toEqual(['not_found', 'Ce compte est introuvable.', undefined]);
    expect(texts().map(([text]) => String(text).split(' ')[0])).toEqual(['begin', 'select', 'rollback']);
  });
});
