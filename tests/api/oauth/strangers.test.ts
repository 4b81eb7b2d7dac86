import { describe, expect, test } from 'vitest';
import { POST as revoke } from '#app/api/oauth/revoke/route.ts';
import { DEAD_TOKENS_PER_MINUTE, TOKENS_PER_MINUTE } from '#lib/oauth/protocol/config.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { makeClient, makeCode, makeTokens } from '#tests/factories/oauth.ts';
import { stopClock, useApi } from '#tests/setup/api.ts';
import { askToken, post } from '#tests/setup/oauth.ts';

const service = useApi();
const UNKNOWN_CLIENT = 'cli_00000000000000000000000000';
const UNKNOWN_CODE = `atc_${'0'.repeat(64)}`;
const UNKNOWN_TOKEN = `atr_${'0'.repeat(64)}`;

type Made = Awaited<ReturnType<typeof makeCode>>;
type Headers = Record<string, string>;

const codeForm = ({ client, code, verifier, redirectUri }: Made, changes: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  client_id: client.id,
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
  ...changes,
});

const refreshForm = (clientId: string, token: string) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: token,
});

async function askRevoke(clientId: string, token: string, headers?: Headers) {
  const response = await post(revoke, '/api/oauth/revoke', { client_id: clientId, token }, headers);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const from = (peer: string): Headers => ({ 'x-atelier-peer': peer });

describe('the token and revocation endpoints', () => {
  test('what is worth nothing costs one statement, whatever it is, and leaves the code to its owner', async () => {
    const { member } = await makeAccount(service);
    const made = await makeCode(service, member);
    const other = await makeClient(service);
    const ended = await makeTokens(service, member);
    const living = await makeTokens(service, member);
    await service.db.oAuthGrant.updateMany({
      where: { clientId: ended.client.id },
      data: { revokedAt: new Date(), revokedBy: 'MEMBER' },
    });
    const [id, gone, lives] = [made.client.id, ended.tokens.refresh_token, living.tokens.refresh_token];
    type Shown = [string, () => ReturnType<typeof askRevoke>, number, string?];
    const shown: Shown[] = [
      ['unknown code', () => askToken(codeForm(made, { code: UNKNOWN_CODE })), 400, 'invalid_grant'],
      ['no code', () => askToken(codeForm(made, { code: 'x' })), 400, 'invalid_grant'],
      ['verifier', () => askToken(codeForm(made, { code_verifier: 'x'.repeat(43) })), 400, 'invalid_grant'],
      ['code of another', () => askToken(codeForm(made, { client_id: other.id })), 400, 'invalid_grant'],
      ['client', () => askToken(codeForm(made, { client_id: UNKNOWN_CLIENT })), 401, 'invalid_client'],
      ['unknown token', () => askToken(refreshForm(id, UNKNOWN_TOKEN)), 400, 'invalid_grant'],
      ['ended', () => askToken(refreshForm(ended.client.id, gone)), 400, 'invalid_grant'],
      ['token of another', () => askToken(refreshForm(id, lives)), 400, 'invalid_grant'],
      ['client of a token', () => askToken(refreshForm(UNKNOWN_CLIENT, lives)), 401, 'invalid_client'],
      ['to revoke', () => askRevoke(id, UNKNOWN_TOKEN), 200],
      ['ended, to revoke', () => askRevoke(ended.client.id, gone), 200],
      ['of another, to revoke', () => askRevoke(id, lives), 200],
      ['client that revokes', () => askRevoke(UNKNOWN_CLIENT, lives), 401, 'invalid_client'],
    ];
    for (const [name, ask, status, error] of shown) {
      const before = service.connection.roundTrips();
      const answer = await ask();
      const statements = service.connection.roundTrips() - before;
      expect([name, answer.status, answer.json.error, statements]).toEqual([name, status, error, 1]);
    }
    expect((await askToken(codeForm(made))).status).toBe(200);
    const before = service.connection.roundTrips();
    expect((await askToken(refreshForm(living.client.id, lives))).status).toBe(200);
    // Looked for, BEGIN, locked, used, its successors, its grant, their end, COMMIT.
    expect(service.connection.roundTrips() - before).toBe(8);
  });

  test('a stranger’s flood is told when to come back, and shuts out nobody who shows what lives: not elsewhere, nor in the same place', async () => {
    const advance = stopClock();
    const { member } = await makeAccount(service);
    const made = await makeCode(service, member);
    const own = await makeTokens(service, member);
    const id = own.client.id;
    // One subscription of IPv6 holds them all.
    const flood = await Promise.all(
      Array.from({ length: DEAD_TOKENS_PER_MINUTE + 10 }, (_, n) =>
        askToken(refreshForm(id, UNKNOWN_TOKEN), from(`2001:db8:7:${n.toString(16)}::1`)),
      ),
    );
    const heard = (status: number) => flood.filter((answer) => answer.status === status);
    expect([heard(400).length, heard(429).length]).toEqual([DEAD_TOKENS_PER_MINUTE, 10]);

    const here = from('2001:db8:7:ffff::1');
    for (const refused of [
      await askToken(refreshForm(id, UNKNOWN_TOKEN), here),
      await askToken(refreshForm(UNKNOWN_CLIENT, UNKNOWN_TOKEN), here),
      await askToken(codeForm(made, { code_verifier: 'x'.repeat(43) }), here),
      await askRevoke(id, UNKNOWN_TOKEN, here),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
      expect(refused.json).toEqual({
        error: 'temporarily_unavailable',
        error_description: 'Trop de demandes. Reessayez dans 60 s.',
      });
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }

    expect((await askToken(refreshForm(id, UNKNOWN_TOKEN), from('2001:db8:8::1'))).status).toBe(400);
    const exchanged = await askToken(codeForm(made), here);
    expect(exchanged.status).toBe(200);
    const refreshed = await Promise.all(
      [1, 2].map(() => askToken(refreshForm(id, own.tokens.refresh_token), here)),
    );
    expect(refreshed.map(({ status }) => status)).toEqual([200, 200]);
    const next = refreshed[0]?.json.refresh_token as string;
    expect(refreshed[1]?.json.refresh_token).toBe(next);
    expect((await askRevoke(id, next, here)).status).toBe(200);
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { clientId: id } });
    expect(grant.revokedBy).toBe('CLIENT');

    advance(60);
    expect((await askToken(refreshForm(id, UNKNOWN_TOKEN), here)).json.error).toBe('invalid_grant');
  });

  test('one connection renews its tokens so often in a minute and no more; it goes on with the next, and another connection is not touched', async () => {
    const advance = stopClock();
    const { member } = await makeAccount(service);
    const { client, tokens } = await makeTokens(service, member);
    const refresh = (token: string) => askToken(refreshForm(client.id, token));
    let token = tokens.refresh_token;
    // The exchange of the code was the first.
    for (let n = 1; n < TOKENS_PER_MINUTE; n += 1) {
      const { status, json } = await refresh(token);
      expect(status).toBe(200);
      token = json.refresh_token;
    }
    const refused = await refresh(token);
    expect([refused.status, refused.json.error, refused.headers.get('retry-after')]).toEqual([
      429,
      'temporarily_unavailable',
      '60',
    ]);
    const other = await makeTokens(service, member, { client });
    expect((await refresh(other.tokens.refresh_token)).status).toBe(200);
    advance(60);
    expect((await refresh(token)).status).toBe(200);
  });

  test('a refresh token that comes back ends its family, however often the one that was stolen is shown in that minute', async () => {
    const advance = stopClock();
    const { member } = await makeAccount(service);
    const { client, tokens } = await makeTokens(service, member);
    const refresh = (token: string) => askToken(refreshForm(client.id, token));
    const stolen = (await refresh(tokens.refresh_token)).json.refresh_token as string;
    advance(61);
    const shown = await Promise.all(Array.from({ length: TOKENS_PER_MINUTE + 1 }, () => refresh(stolen)));
    expect(shown.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await refresh(tokens.refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(stolen)).json.error).toBe('invalid_grant');
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { clientId: client.id } });
    expect(grant.revokedBy).toBe('REFRESH_REUSED');
  });
});
