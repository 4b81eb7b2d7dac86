import { describe, expect, test } from 'vitest';
import { GET as authorize } from '#app/api/oauth/authorize/route.ts';
import { POST as register } from '#app/api/oauth/register/route.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeCode, pkce } from '#tests/factories/oauth.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { signIn } from '#tests/setup/oauth.ts';

const service = useApi();
const EVIL = 'https://evil.example/login';

const send = (redirectUris: string[]) =>
  register(
    new Request(`${ORIGIN}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Atelier', redirect_uris: redirectUris }),
    }),
  );

/** What a victim's browser opens when it follows a link of ours that a stranger sent. */
function follow(params: Record<string, string>, cookie?: string) {
  const address = `${ORIGIN}/api/oauth/authorize?${new URLSearchParams(params)}`;
  return authorize(new Request(address, cookie ? { headers: { cookie } } : {}));
}

/** The page that the victim sees: ours, and nothing of it leads anywhere. */
async function expectOwnPage(response: Response) {
  expect(response.headers.get('location')).toBeNull();
  expect(response.status).toBe(400);
  const html = await response.text();
  expect(html).toContain('Cette demande de connexion est refusée');
  expect(html).not.toMatch(/evil\.example|<a |http-equiv/);
}

describe('a link of ours that a stranger made', () => {
  const FAULTS: Record<string, string>[] = [
    {},
    { response_type: 'token' },
    { response_type: 'code' },
    { response_type: 'code', code_challenge: 'x' },
    { response_type: 'code', scope: 'everything', code_challenge: pkce().challenge },
  ];

  test('sends nobody to an address that a stranger registered, signed in or not', async () => {
    const { client_id } = await (await send([EVIL])).json();
    const { member } = await makeAccount(service);
    const { cookie } = await signIn(service, member);
    for (const fault of FAULTS)
      for (const browser of [undefined, cookie])
        await expectOwnPage(await follow({ client_id, redirect_uri: EVIL, ...fault }, browser));
  });

  test('the consent of one member is nobody else’s, and a consent that was taken back is none', async () => {
    const { account, member } = await makeAccount(service);
    const neighbour = await makeMember(service, account.id, { role: 'FOUNDER' });
    const { client, redirectUri } = await makeCode(service, member);
    const params = { client_id: client.id, redirect_uri: redirectUri };
    const own = await signIn(service, member);
    const answer = await follow(params, own.cookie);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain(`${redirectUri}?error=invalid_request`);
    const other = await signIn(service, neighbour);
    await expectOwnPage(await follow(params, other.cookie));
    await expectOwnPage(await follow(params));
    await revokeApplication(testContext(service, memberActor(member)), {
      clientId: client.id,
      memberId: member.id,
    });
    await expectOwnPage(await follow(params, own.cookie));
  });

  test('a refusal stays on our page, which says where its one link leads', async () => {
    const { client_id } = await (await send([EVIL])).json();
    const { member } = await makeAccount(service);
    const browser = await signIn(service, member);
    const asked = new URLSearchParams({
      client_id,
      redirect_uri: EVIL,
      response_type: 'code',
      resource: `${ORIGIN}/api/mcp`,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      state: 's',
    });
    const refused = await browser.decide(asked.toString(), 'refuse');
    expect(refused.headers.get('location')).toBeNull();
    expect(refused.status).toBe(200);
    const html = await refused.text();
    expect(html).toContain('Vous avez refusé');
    expect(html).toMatch(
      /<a [^>]*href="https:\/\/evil\.example\/login\?error=access_denied&#38;[^"]*"[^>]*>[^<]*evil\.example/,
    );
  });
});

describe('an application’s own scheme', () => {
  test.each([
    'ms-officecmd:%7B%22id%22:3%7D',
    'ms-settings:privacy',
    'search-ms:query=x',
    'vscode://vscode.git/clone?url=https://evil.example/r.git',
    'vscode://file/etc/passwd',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=eA==',
    'cursor://anysphere.cursor-mcp/oauth/callback/../../install',
    'slack://open',
    'zoommtg://join',
    'steam://run/1',
    'x-apple.systempreferences:com.apple.preference',
    'microsoft.windows.camera:picker',
    'com:/retour',
  ])(
    '%s is refused at registration: it is neither reverse-domain nor a reviewed assistant’s',
    async (address) => {
      const response = await send(['https://assistant.exemple/retour', address]);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
    },
  );

  test('a client that registered one before the rule is answer nothing through it', async () => {
    const { member } = await makeAccount(service);
    const { client } = await makeCode(service, member);
    const address = 'ms-officecmd:%7B%7D';
    await service.db.oAuthClient.update({ where: { id: client.id }, data: { redirectUris: [address] } });
    const { cookie } = await signIn(service, member);
    await expectOwnPage(await follow({ client_id: client.id, redirect_uri: address }, cookie));
  });

  test('what Cursor registers, a reverse-domain scheme and a loopback address are taken', async () => {
    const response = await send([
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
      'com.raycast:/oauth',
      'app.exemple.assistant:/retour',
    ]);
    expect(response.status).toBe(201);
  });
});
