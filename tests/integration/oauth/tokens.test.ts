import { describe, expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { authenticateAccessToken } from '#lib/oauth/authenticate-access-token.ts';
import { exchangeCode } from '#lib/oauth/exchange-code.ts';
import { countApplications, listApplications } from '#lib/oauth/list-applications.ts';
import { refreshTokens } from '#lib/oauth/refresh-tokens.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { revokeToken } from '#lib/oauth/revoke-token.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { ISSUER, makeClient, makeCode, makeTokens, NETWORK } from '#tests/factories/oauth.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const SECRET = 'secret-of-the-tests-0123456789-abcdef';
const START = '2026-11-21T10:00:00.000Z';

async function setting() {
  const clock = manualClock(START);
  const { account, member } = await makeAccount(service);
  const ctx = testContext(service, { type: 'anonymous' } as const, { clock });
  return { account, member, clock, ctx };
}

type Setting = Awaited<ReturnType<typeof setting>>;

function exchange(
  { ctx }: Setting,
  made: Awaited<ReturnType<typeof makeCode>>,
  changes: Partial<Parameters<typeof exchangeCode>[1]> = {},
) {
  const { client, code, verifier, redirectUri } = made;
  return exchangeCode(ctx, {
    clientId: client.id,
    network: NETWORK,
    code,
    verifier,
    redirectUri,
    resources: [],
    issuer: ISSUER,
    ...changes,
  });
}

function refresh(
  { ctx }: Setting,
  clientId: string,
  refreshToken: string,
  changes: Partial<Parameters<typeof refreshTokens>[1]> = {},
) {
  return refreshTokens(ctx, {
    clientId,
    network: NETWORK,
    refreshToken,
    scope: null,
    resources: [],
    issuer: ISSUER,
    secret: SECRET,
    ...changes,
  });
}

function who({ ctx }: Setting, token: string, resource: '/api/mcp' | '/api/v1' = '/api/mcp') {
  return authenticateAccessToken(ctx, token, { isWrite: false, resource });
}

describe('exchanging a code', () => {
  test('gives a one-hour access token and a refresh token, of which the database holds only hashes', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    const tokens = await exchange(place, made);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^ata_[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^atr_[0-9a-f]{64}$/),
      scope: 'brain:read brain:write',
    });
    const found = await who(place, tokens.access_token);
    expect(found?.actor).toMatchObject({
      type: 'oauth',
      memberId: place.member.id,
      scopes: ['brain:read', 'brain:write'],
    });
    const { rows } = await service.pool.query(
      `SELECT string_agg(t::text, '') AS dump FROM (SELECT to_jsonb(c) AS t FROM "OAuthCode" c UNION ALL SELECT to_jsonb(k) FROM "OAuthToken" k UNION ALL SELECT to_jsonb(g) FROM "OAuthGrant" g UNION ALL SELECT to_jsonb(a) FROM "AuditEntry" a) x`,
    );
    for (const secret of [made.code, tokens.access_token, tokens.refresh_token]) {
      expect(rows[0].dump).not.toContain(secret);
      expect(rows[0].dump).not.toContain(secret.slice(4));
    }
  });

  test('of two exchanges at once, one succeeds, and the reuse revokes what it gave', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => exchange(place, made)));
    const given = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(given).toHaveLength(1);
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    expect(refused).toEqual(Array(5).fill('invalid_grant'));
    expect(await who(place, given[0]?.value.access_token ?? '')).toBeNull();
    await expect(refresh(place, made.client.id, given[0]?.value.refresh_token ?? '')).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });

  test('of two in one moment, the second knows the first, and revokes what it gave', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    const given: string[] = [];
    const once = async () => given.push((await exchange(place, made)).access_token);
    expect(await oneBeforeAnother(service, once, once, 'OAuthToken')).toEqual(['done', 'invalid_grant']);
    expect(await who(place, given[0] ?? '')).toBeNull();
  });

  test('of many reuses at once, one revokes: the audit has it once, with the reason', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    await exchange(place, made);
    const again = await Promise.allSettled(Array.from({ length: 6 }, () => exchange(place, made)));
    expect(again.every(({ status }) => status === 'rejected')).toBe(true);
    const entries = await service.db.auditEntry.findMany({
      where: { accountId: place.account.id, action: 'oauth.revoked' },
    });
    expect(entries.map(({ data }) => data)).toMatchObject([{ reason: 'CODE_REUSED' }]);
  });

  test('refuses a wrong verifier, another client, another redirect or another resource, and leaves the code to its owner', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    const other = await makeClient(service);
    for (const [changes, code] of [
      [{ verifier: 'x'.repeat(43) }, 'invalid_grant'],
      [{ clientId: other.id }, 'invalid_grant'],
      [{ redirectUri: 'https://assistant.exemple/autre' }, 'invalid_grant'],
      [{ resources: [`${ISSUER}/api/v1`] }, 'invalid_target'],
      [{ resources: ['https://ailleurs.exemple/api/mcp'] }, 'invalid_target'],
      [{ code: `atc_${'0'.repeat(64)}` }, 'invalid_grant'],
      [{ code: 'n’importe quoi' }, 'invalid_grant'],
    ] as const)
      await expect(exchange(place, made, changes as object)).rejects.toMatchObject({ code });
    await expect(exchange(place, made)).resolves.toMatchObject({ token_type: 'Bearer' });
  });

  test('refuses a code after 60 seconds', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    place.clock.advance(60_000);
    await expect(exchange(place, made)).rejects.toMatchObject({ code: 'invalid_grant' });
  });

  test('refuses a member who was suspended between consent and exchange', async () => {
    const place = await setting();
    const made = await makeCode(service, place.member, { clock: place.clock });
    await service.db.member.update({ where: { id: place.member.id }, data: { status: 'SUSPENDED' } });
    await expect(exchange(place, made)).rejects.toMatchObject({ code: 'invalid_grant' });
  });
});

describe('refreshing', () => {
  test('ten refreshes at once get the very same successors, and one rotation is written', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(place, client.id, tokens.refresh_token)),
    );
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.access_token)).size).toBe(1);
    expect(answers[0]?.refresh_token).toEqual(expect.any(String));
    expect(answers[0]?.refresh_token).not.toBe(tokens.refresh_token);
    expect(await who(place, answers[0]?.access_token ?? '')).not.toBeNull();
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { clientId: client.id } });
    expect(await service.db.oAuthToken.count({ where: { grantId: grant.id } })).toBe(4);
  });

  test('the grace gives the same successor for 60 seconds, even after the successor was itself used', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const first = await refresh(place, client.id, tokens.refresh_token);
    await refresh(place, client.id, first.refresh_token);
    place.clock.advance(60_000);
    const again = await refresh(place, client.id, tokens.refresh_token);
    expect(again).toEqual({ ...first, expires_in: 3540 });
  });

  test('a refresh token that comes back after the grace ends the whole family', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const next = await refresh(place, client.id, tokens.refresh_token);
    place.clock.advance(60_001);
    await expect(refresh(place, client.id, tokens.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await who(place, next.access_token)).toBeNull();
    expect(await who(place, tokens.access_token)).toBeNull();
    await expect(refresh(place, client.id, next.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(
      await service.db.auditEntry.findFirst({
        where: { accountId: place.account.id, action: 'oauth.revoked' },
      }),
    ).toMatchObject({ data: { reason: 'REFRESH_REUSED' } });
  });

  test('the grace is counted from the first use: what is shown again within it begins no other', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const next = await refresh(place, client.id, tokens.refresh_token);
    place.clock.advance(40_000);
    expect((await refresh(place, client.id, tokens.refresh_token)).refresh_token).toBe(next.refresh_token);
    place.clock.advance(20_001);
    await expect(refresh(place, client.id, tokens.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    expect(await who(place, next.access_token)).toBeNull();
  });

  test('a token that comes back late counts as stolen too while its first use is being written', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const given: string[] = [];
    const first = async () =>
      given.push((await refresh(place, client.id, tokens.refresh_token)).access_token);
    // Of a process whose clock stands at the end of the grace.
    const clock = manualClock(place.clock.now());
    clock.advance(60_001);
    const late = { ...place, clock, ctx: { ...place.ctx, clock } };
    const second = () => refresh(late, client.id, tokens.refresh_token);
    expect(await oneBeforeAnother(service, first, second, 'OAuthToken')).toEqual(['done', 'invalid_grant']);
    expect(await who(place, given[0] ?? '')).toBeNull();
  });

  test('each rotation gives 30 more days, and a refresh token is refused at its end', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    place.clock.advance(30 * 86_400_000 - 1);
    const next = await refresh(place, client.id, tokens.refresh_token);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    place.clock.advance(30 * 86_400_000 - 1);
    const last = await refresh(place, client.id, next.refresh_token);
    const own = testContext(service, memberActor(place.member), { clock: place.clock });
    const end = new Date(place.clock.now().getTime() + 30 * 86_400_000);
    expect(await listApplications(own)).toMatchObject([{ clientId: client.id, expiresAt: end }]);
    place.clock.advance(30 * 86_400_000);
    expect(await listApplications(own)).toEqual([]);
    await expect(refresh(place, client.id, last.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });

  test('narrows the access token to the scopes asked for, never widens it', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, {
      clock: place.clock,
      scopes: ['brain:read'],
    });
    await expect(
      refresh(place, client.id, tokens.refresh_token, { scope: 'brain:read brain:write' }),
    ).rejects.toMatchObject({
      code: 'invalid_scope',
    });
    const both = await makeTokens(service, place.member, { clock: place.clock });
    const narrow = await refresh(place, both.client.id, both.tokens.refresh_token, { scope: 'brain:read' });
    expect((await who(place, narrow.access_token))?.actor.scopes).toEqual(['brain:read']);
    // Within the grace, for all that was granted: each token carries what was asked with it.
    const whole = await refresh(place, both.client.id, both.tokens.refresh_token);
    expect((await who(place, whole.access_token))?.actor.scopes).toEqual(['brain:read', 'brain:write']);
    expect((await who(place, narrow.access_token))?.actor.scopes).toEqual(['brain:read']);
    const wide = await refresh(place, both.client.id, narrow.refresh_token);
    expect(wide.scope).toBe('brain:read brain:write');
  });

  test('keeps what was granted when a refresh asks for offline_access alone, whatever that was', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, {
      clock: place.clock,
      scopes: ['brain:write'],
    });
    const first = await refresh(place, client.id, tokens.refresh_token, { scope: 'offline_access' });
    expect(first.scope).toBe('brain:write');
    const both = await makeTokens(service, place.member, { clock: place.clock });
    const whole = await refresh(place, both.client.id, both.tokens.refresh_token, {
      scope: ' offline_access ',
    });
    expect(whole.scope).toBe('brain:read brain:write');
    const narrow = await refresh(place, client.id, first.refresh_token, {
      scope: 'brain:write offline_access',
    });
    expect(narrow.scope).toBe('brain:write');
  });

  test('refuses another client and a foreign resource, without ending anything', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const other = await makeClient(service);
    await expect(refresh(place, other.id, tokens.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    await expect(
      refresh(place, client.id, tokens.refresh_token, { resources: [`${ISSUER}/api/v1`] }),
    ).rejects.toMatchObject({ code: 'invalid_target' });
    await expect(refresh(place, client.id, tokens.access_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
    await expect(
      refresh(place, client.id, tokens.refresh_token, { resources: [`${ISSUER}/api/mcp`] }),
    ).resolves.toBeTruthy();
  });
});

describe('an access token', () => {
  test('opens its own resource and no other, for one hour', async () => {
    const place = await setting();
    const { tokens } = await makeTokens(service, place.member, { clock: place.clock });
    expect(await who(place, tokens.access_token, '/api/v1')).toBeNull();
    place.clock.advance(3_599_999);
    expect(await who(place, tokens.access_token)).not.toBeNull();
    place.clock.advance(1);
    expect(await who(place, tokens.access_token)).toBeNull();
  });

  test('is checked, counted and dated in one round trip; its rate is the grant’s', async () => {
    const place = await setting();
    const { client, tokens } = await makeTokens(service, place.member, { clock: place.clock });
    const before = service.connection.roundTrips();
    expect((await who(place, tokens.access_token))?.rate.requests).toBe(1);
    expect(service.connection.roundTrips() - before).toBe(1);
    const next = await refresh(place, client.id, tokens.refresh_token);
    expect((await who(place, next.access_token))?.rate.requests).toBe(2);
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { clientId: client.id } });
    expect(grant.lastUsedAt?.toISOString()).toBe(START);
  });

  test('carries the role and permissions of the moment, and nothing once the member is suspended', async () => {
    const place = await setting();
    const member = await makeMember(service, place.account.id, {
      role: 'MEMBER',
      permissions: ['brain.write'],
    });
    const { client, tokens } = await makeTokens(service, member, { clock: place.clock });
    expect((await who(place, tokens.access_token))?.actor.permissions).toEqual(['brain.write']);
    await service.db.member.update({ where: { id: member.id }, data: { permissions: [] } });
    expect((await who(place, tokens.access_token))?.actor.permissions).toEqual([]);
    await service.db.member.update({ where: { id: member.id }, data: { status: 'SUSPENDED' } });
    expect(await who(place, tokens.access_token)).toBeNull();
    await expect(refresh(place, client.id, tokens.refresh_token)).rejects.toMatchObject({
      code: 'invalid_grant',
    });
  });
});

describe('revoking', () => {
  test('a refresh token ends its family; an access token ends alone; another client’s token is left alone', async () => {
    const place = await setting();
    const revoke = (clientId: string, token: string) =>
      revokeToken(place.ctx, { clientId, token, network: NETWORK });
    const one = await makeTokens(service, place.member, { clock: place.clock });
    const next = await refresh(place, one.client.id, one.tokens.refresh_token);
    await revoke(one.client.id, one.tokens.access_token);
    expect(await who(place, one.tokens.access_token)).toBeNull();
    expect(await who(place, next.access_token)).not.toBeNull();
    const other = await makeClient(service);
    await revoke(other.id, next.refresh_token);
    expect(await who(place, next.access_token)).not.toBeNull();
    await revoke(one.client.id, next.refresh_token);
    expect(await who(place, next.access_token)).toBeNull();
    await revoke(one.client.id, `atr_${'f'.repeat(64)}`);
  });

  test('a member sees and ends their own applications, a founder everyone’s, a stranger none', async () => {
    const place = await setting();
    const member = await makeMember(service, place.account.id, { role: 'MEMBER', name: 'Noé' });
    const { client, tokens } = await makeTokens(service, member, { clock: place.clock });
    const second = await makeTokens(service, member, {
      clock: place.clock,
      client,
      scopes: ['brain:read'],
      resource: '/api/v1',
    });
    const founder = testContext(service, memberActor(place.member), { clock: place.clock });
    const own = testContext(service, memberActor(member), { clock: place.clock });
    const { actor } = await makeAccount(service);
    const stranger = testContext(service, actor, { clock: place.clock });
    const bystander = testContext(
      service,
      memberActor(await makeMember(service, place.account.id, { role: 'MEMBER' })),
      { clock: place.clock },
    );
    expect(await listApplications(own)).toMatchObject([
      {
        clientId: client.id,
        name: client.name,
        connections: 2,
        scopes: ['brain:read', 'brain:write'],
        member: { name: 'Noé' },
        resources: ['/api/mcp', '/api/v1'],
      },
    ]);
    expect(await listApplications(founder)).toHaveLength(1);
    expect(await listApplications(founder, { page: 2, size: 1 })).toEqual([]);
    const counted = [founder, own, stranger, bystander].map((ctx) => countApplications(ctx));
    expect(await Promise.all(counted)).toEqual([1, 1, 0, 0]);
    expect(await listApplications(stranger)).toEqual([]);
    expect(await listApplications(bystander)).toEqual([]);
    for (const ctx of [stranger, bystander])
      await expect(
        revokeApplication(ctx, { clientId: client.id, memberId: member.id }),
      ).rejects.toMatchObject({ code: 'not_found' });
    await revokeApplication(founder, { clientId: client.id, memberId: member.id });
    expect(await who(place, tokens.access_token)).toBeNull();
    expect(await who(place, second.tokens.access_token, '/api/v1')).toBeNull();
    expect(await listApplications(own)).toEqual([]);
  });
});
