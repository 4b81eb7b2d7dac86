import { beforeAll, describe, expect, it } from 'vitest';
import { type Clock, manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { listKeys } from '#lib/identity/keys/list-keys.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { setKeyCap } from '#lib/identity/keys/set-key-cap.ts';
import { refund, settle, settleRest } from '#lib/ledger/close-reserve.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { authenticateAccessToken } from '#lib/oauth/authenticate-access-token.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import { listApplications } from '#lib/oauth/list-applications.ts';
import { readApplicationCap } from '#lib/oauth/read-application-cap.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationCap } from '#lib/oauth/set-application-cap.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { bookFaults, giveCredit, makeGeneration } from '#tests/factories/ledger.ts';
import { makeClient, makeTokens, pkce } from '#tests/factories/oauth.ts';
import { reserve } from '#tests/factories/reserve.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

async function scene() {
  const clock = manualClock('2026-11-10T08:00:00Z');
  const { account, member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor, { clock });
  await giveCredit(ctx, member.id, 100_000_000n);
  const owner = { accountId: account.id, memberId: member.id };
  /** A key of the member and what acts by it: reserves, as the routes do. */
  const key = async (monthlyCapMicros: bigint, secret?: string) => {
    const made = secret
      ? { secret }
      : await createKey(ctx, {
          ...owner,
          name: 'Programme',
          scopes: ['studio:generate'],
          expiresInDays: 90,
          monthlyCapMicros,
        });
    return { ...made, ...acting(await actorOf(made.secret, clock)) };
  };
  const acting = (by: Parameters<typeof testContext>[1]) => {
    const own = testContext(service, by, { clock });
    const hold = async (amountMicros: bigint) => {
      const generationId = await makeGeneration(service, owner, clock.now());
      return {
        generationId,
        result: await reserve(own.kysely, own, { ...owner, generationId, amountMicros }),
      };
    };
    const used = async () => (await readWallet(own, { memberId: member.id })).credentialUsedMicros;
    return { hold, used, ctx: own };
  };
  return { account, member, clock, ctx, owner, key, acting };
}

async function actorOf(secret: string, clock: Clock) {
  const found = await authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: true });
  if (!found) throw new Error('the key is refused');
  return found.actor;
}

const cap = (capMicros: bigint, usedMicros: bigint) => ({
  held: false,
  refusal: { code: 'cap', detail: 'credential', capMicros, usedMicros },
});

describe('the monthly cap of a key', () => {
  it('is held to the last micro by fifty requests at once, while another key and the session of the same member go on', async () => {
    const { key, acting, ctx, account } = await scene();
    const [capped, other] = [await key(1_000_001n), await key(1_000_000n)];
    const session = acting(ctx.actor);
    const ten = (by: typeof session) => Promise.all(Array.from({ length: 10 }, () => by.hold(100_000n)));
    const [racing, beside, own] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, (_, index) => capped.hold(index % 2 === 0 ? 60_000n : 40_001n))),
      ten(other),
      ten(session),
    ]);
    const held = racing.filter(({ result }) => result.held).length;
    const used = await capped.used();
    expect(used).toBeLessThanOrEqual(1_000_001n);
    // Nothing more of the smaller size fits: no room was lost in the race either.
    expect(1_000_001n - used).toBeLessThan(40_001n);
    expect(held).toBeGreaterThan(15);
    expect((await capped.hold(1_000_001n - used)).result).toEqual({ held: true });
    expect((await capped.hold(1n)).result).toEqual(cap(1_000_001n, 1_000_001n));
    expect(beside.every(({ result }) => result.held)).toBe(true);
    expect(own.every(({ result }) => result.held)).toBe(true);
    expect((await other.hold(1n)).result).toEqual(cap(1_000_000n, 1_000_000n));
    expect((await listKeys(ctx, { accountId: account.id })).map((one) => one.monthUsedMicros)).toEqual(
      expect.arrayContaining([1_000_001n, 1_000_000n]),
    );
    expect(await bookFaults(service)).toEqual([]);
  });

  it('is judged once the requests before have been counted: of twelve that have read the same books, those that fit', async () => {
    const { key, account } = await scene();
    const { hold, used } = await key(1_000n);
    const gate = await service.pool.connect();
    await gate.query('BEGIN');
    await gate.query('SELECT 1 FROM "Budget" WHERE "accountId" = $1 FOR UPDATE', [account.id]);
    const asked = Promise.all(Array.from({ length: 12 }, () => hold(300n)));
    await untilBlocked(service, 12);
    await gate.query('ROLLBACK');
    gate.release();
    expect((await asked).filter(({ result }) => result.held)).toHaveLength(3);
    expect(await used()).toBe(900n);
  });

  it('gets room back as the other caps do: a refund all of it, a settlement what it left, a rest takes more; the month turns by the clock', async () => {
    const { key, clock } = await scene();
    const { hold, used, ctx } = await key(1_000n);
    const [first, second] = [await hold(600n), await hold(400n)];
    expect((await hold(1n)).result).toEqual(cap(1_000n, 1_000n));
    await refund(ctx.kysely, ctx, { generationId: first.generationId });
    expect(await used()).toBe(400n);
    await settle(ctx.kysely, ctx, { generationId: second.generationId, costMicros: 150n });
    expect(await used()).toBe(150n);
    await settleRest(ctx.kysely, ctx, { generationId: second.generationId, restMicros: 50n });
    expect((await hold(801n)).result).toEqual(cap(1_000n, 200n));
    const open = await hold(300n);
    clock.set('2026-12-01T00:00:00Z');
    // What was settled in November counts no more; what is still held does, and is settled in December.
    expect((await hold(701n)).result).toEqual(cap(1_000n, 300n));
    await settle(ctx.kysely, ctx, { generationId: open.generationId, costMicros: 1_200n });
    expect(await used()).toBe(1_200n);
    expect((await hold(1n)).result).toEqual(cap(1_000n, 1_200n));
    expect(await bookFaults(service)).toEqual([]);
  });

  it('outlives the key: what runs when it is revoked is still settled or refunded, to the member’s wallet and to the books', async () => {
    const { key, ctx, account, member } = await scene();
    const { id = '', hold } = (await key(1_000_000n)) as Awaited<ReturnType<typeof key>> & { id?: string };
    const [settled, refunded] = [await hold(300_000n), await hold(200_000n)];
    await revokeKey(ctx, { accountId: account.id, keyId: id });
    const system = testContext(service, { type: 'system', job: 'generations-sweep' } as const);
    await settle(system.kysely, system, { generationId: settled.generationId, costMicros: 250_000n });
    await refund(system.kysely, system, { generationId: refunded.generationId });
    expect(await readWallet(ctx, { memberId: member.id })).toMatchObject({
      balanceMicros: 99_750_000n,
      heldMicros: 0n,
    });
    expect((await listKeys(ctx, { accountId: account.id }))[0]).toMatchObject({ monthUsedMicros: 250_000n });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('is not renewed by replacing the key, and is changed by its member or a founder, not by a colleague nor by the key', async () => {
    const { key, ctx, account, owner, clock } = await scene();
    const first = (await key(1_000n)) as Awaited<ReturnType<typeof key>> & { id: string };
    await first.hold(900n);
    const next = await rotateKey(ctx, { accountId: account.id, keyId: first.id, overlapDays: 1 });
    const second = await key(0n, next.secret);
    expect((await second.hold(101n)).result).toEqual(cap(1_000n, 900n));
    const input = { accountId: account.id, keyId: next.id, monthlyCapMicros: 901n };
    const colleague = await makeMember(service, account.id, { role: 'MEMBER' });
    for (const actor of [memberActor(colleague), await actorOf(next.secret, clock)])
      await expect(setKeyCap(testContext(service, actor, { clock }), input)).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|forbidden/),
      });
    // A colleague's own key: its member lowers it, and so does a founder.
    const theirs = await makeKey(service, colleague, {
      scopes: ['studio:generate'],
      monthlyCapMicros: 10n,
      now: clock.now(),
    });
    const capOfTheirs = async () =>
      (await service.db.credentialAllowance.findFirstOrThrow({ where: { memberId: colleague.id } }))
        .monthlyCapMicros;
    for (const [actor, monthlyCapMicros] of [
      [memberActor(colleague), 9n],
      [ctx.actor, 8n],
    ] as const) {
      const lower = { accountId: account.id, keyId: theirs.key.id, monthlyCapMicros };
      await setKeyCap(testContext(service, actor, { clock }), lower);
      expect(await capOfTheirs()).toBe(monthlyCapMicros);
    }
    await setKeyCap(ctx, input);
    expect((await first.hold(2n)).result).toEqual(cap(901n, 900n));
    expect((await second.hold(1n)).result).toEqual({ held: true });
    expect(
      await service.db.auditEntry.count({
        where: { accountId: owner.accountId, action: 'key.cap_set' },
      }),
    ).toBe(3);
  });

  it('is given with studio:generate, and only then, 0 lets nothing through; the database refuses a key that asks for generations without one', async () => {
    const { ctx, owner, account, member, key } = await scene();
    const make = (scopes: ('studio:read' | 'studio:generate')[], monthlyCapMicros?: bigint) =>
      createKey(ctx, { ...owner, name: 'Clé', scopes, expiresInDays: 30, monthlyCapMicros });
    for (const attempt of [
      () => make(['studio:generate']),
      () => make(['studio:generate'], -1n),
      () => make(['studio:read'], 1n),
    ])
      await expect(attempt()).rejects.toMatchObject({
        options: { problems: [expect.objectContaining({ field: 'monthlyCapMicros' })] },
      });
    expect((await make(['studio:generate'], 0n)).monthlyCapMicros).toBe(0n);
    const plain = await createKey(ctx, { ...owner, name: 'Clé', expiresInDays: 30 });
    expect(plain.scopes).toEqual(['brain:read', 'projects:read']);
    expect((await (await key(0n)).hold(1n)).result).toEqual(cap(0n, 0n));
    await expect(
      service.pool.query(
        `insert into "DeveloperKey" ("id", "accountId", "memberId", "name", "prefix", "tokenHash", "scopes", "createdAt")
         values ($1, $2, $3, 'x', 'x', '\x01', '{studio:generate}', now())`,
        [createId('developerKey'), account.id, member.id],
      ),
    ).rejects.toThrow(/DeveloperKey_capped/);
  });
});

describe('the monthly cap of an application', () => {
  let client: Awaited<ReturnType<typeof makeClient>>;
  beforeAll(async () => {
    client = await makeClient(service);
  });

  it('is what the member chose in the consent, 0 included', async () => {
    for (const monthlyCapMicros of [0n, 1_250_000n]) {
      const { member, clock } = await scene();
      await grantConsent(testContext(service, memberActor(member), { clock }), {
        issuer: 'https://atelier.test',
        request: {
          client,
          redirectUri: client.redirectUris[0] ?? '',
          state: null,
          scopes: ['studio:generate'],
          resource: '/api/v1',
          challenge: pkce().challenge,
        },
        monthlyCapMicros,
      });
      const kept = await service.db.credentialAllowance.findMany({ where: { memberId: member.id } });
      expect(kept.map((one) => one.monthlyCapMicros)).toEqual([monthlyCapMicros]);
      const uncapped = 'UPDATE "OAuthGrant" SET "allowanceId" = NULL WHERE "memberId" = $1';
      await expect(service.pool.query(uncapped, [member.id])).rejects.toThrow(/OAuthGrant_capped/);
      expect(await bookFaults(service)).toEqual([]);
    }
  });

  it('that somebody has lowered stays where the member lets the application in again: the page shows it, and one that showed the former is refused', async () => {
    const { member, ctx, clock } = await scene();
    const connection = { client, resource: '/api/v1', clock, scopes: ['studio:generate'] } as const;
    await makeTokens(service, member, { ...connection, scopes: [...connection.scopes] });
    const stands = () => readApplicationCap(ctx.kysely, ctx, { clientId: client.id });
    expect(await stands()).toBe(5_000_000n);
    const target = { clientId: client.id, memberId: member.id };
    await setApplicationCap(ctx, { ...target, monthlyCapMicros: 1_000_000n });
    const again = (monthlyCapMicros: bigint, shown: string) =>
      grantConsent(ctx, {
        issuer: 'https://atelier.test',
        request: {
          client,
          redirectUri: client.redirectUris[0] ?? '',
          state: null,
          scopes: ['studio:generate'],
          resource: '/api/v1',
          challenge: pkce().challenge,
        },
        monthlyCapMicros,
        shown: { monthlyCapMicros: shown },
      });
    await expect(again(5_000_000n, '5000000')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('entre-temps'),
    });
    expect(await stands()).toBe(1_000_000n);
    expect(await service.db.oAuthGrant.count({ where: { memberId: member.id } })).toBe(1);
    await again(1_000_000n, '5000000');
    await again(2_000_000n, '1000000');
    expect(await stands()).toBe(2_000_000n);
    // Once none of its connections is left there is no cap to keep, nor while one that was let in never came.
    await revokeApplication(ctx, target);
    expect(await stands()).toBeNull();
    await again(3_000_000n, '5000000');
    expect(await stands()).toBeNull();
    expect(await bookFaults(service)).toEqual([]);
  });

  it('that is being lowered in the very moment stays: the consent that showed the former one waits for that, and is refused', async () => {
    const { member, ctx, clock } = await scene();
    await makeTokens(service, member, { client, clock, resource: '/api/v1', scopes: ['studio:generate'] });
    const target = { clientId: client.id, memberId: member.id };
    const lower = () => setApplicationCap(ctx, { ...target, monthlyCapMicros: 1_000_000n });
    const letIn = () =>
      grantConsent(ctx, {
        issuer: 'https://atelier.test',
        request: {
          client,
          redirectUri: client.redirectUris[0] ?? '',
          state: null,
          scopes: ['studio:generate'],
          resource: '/api/v1',
          challenge: pkce().challenge,
        },
        monthlyCapMicros: 9_000_000n,
        shown: { monthlyCapMicros: '5000000' },
      });
    expect(await oneBeforeAnother(service, lower, letIn)).toEqual(['done', 'conflict']);
    expect(await readApplicationCap(ctx.kysely, ctx, { clientId: client.id })).toBe(1_000_000n);
  });

  it('is one for all its connections of a member, 5 $US unless the member says otherwise, and connecting again renews nothing', async () => {
    const { member, ctx, acting, clock } = await scene();
    const connect = async (resource: '/api/v1' | '/api/mcp') => {
      const { tokens } = await makeTokens(service, member, {
        client,
        resource,
        clock,
        scopes: ['studio:read', 'studio:generate'],
      });
      const token = tokens.access_token;
      const found = await authenticateAccessToken({ kysely: service.kysely, clock }, token, {
        isWrite: true,
        resource,
      });
      if (!found) throw new Error('the token is refused');
      return acting(found.actor);
    };
    const [api, mcp] = [await connect('/api/v1'), await connect('/api/mcp')];
    await api.hold(3_000_000n);
    expect((await mcp.hold(2_000_001n)).result).toEqual(cap(5_000_000n, 3_000_000n));
    const again = await connect('/api/v1');
    expect((await again.hold(2_000_001n)).result).toEqual(cap(5_000_000n, 3_000_000n));
    expect((await mcp.hold(2_000_000n)).result).toEqual({ held: true });
    expect(await listApplications(ctx)).toMatchObject([
      { monthlyCapMicros: 5_000_000n, monthUsedMicros: 5_000_000n },
    ]);
    await setApplicationCap(ctx, { clientId: client.id, memberId: member.id, monthlyCapMicros: 5_000_001n });
    expect((await api.hold(1n)).result).toEqual({ held: true });
    expect(await bookFaults(service)).toEqual([]);
  });
});
