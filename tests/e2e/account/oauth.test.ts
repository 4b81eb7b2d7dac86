import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import * as oauth from 'oauth4webapi';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { enterAs } from '../setup/scenes/app.ts';
import { openScenes } from '../setup/scenes/brain.ts';
import { useAppDatabase } from '../setup/scenes/use-app-database.ts';
import { askCode, mailedCode } from '../setup/sign-in-page.ts';

const browser = useBrowser();
useAppDatabase();

/** A local server that receives the client's redirect, as a desktop assistant has one. */
let callback: Server;
let arrived: ((url: URL) => void) | undefined;

beforeAll(async () => {
  callback = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Retour</title>');
    if (url.pathname === '/retour') arrived?.(url);
  });
  await listenHere(callback);
});
afterAll(() => new Promise<void>((done) => void callback.close(() => done())));

const redirectUri = () => `http://127.0.0.1:${(callback.address() as AddressInfo).port}/retour`;

/** A page of the demonstration account's founder, who has just signed in. Allowing an application to write requires a recent sign-in. */
async function signedIn(): Promise<Page> {
  const page = await browser.newPage();
  await enterAs(page, browser.app, browser.app.demo?.memberEmail ?? '');
  return page;
}

/** Opens the authorization address of a client, accepts or refuses, and returns the redirect. */
async function decide(page: Page, address: URL, button: 'Accepter' | 'Refuser'): Promise<URL> {
  await page.goto(address.href);
  return decideHere(page, button);
}

/** Accepts or refuses on the open consent page, and returns the redirect. */
async function decideHere(page: Page, button: 'Accepter' | 'Refuser'): Promise<URL> {
  const returned = new Promise<URL>((resolve) => {
    arrived = resolve;
  });
  await page.getByRole('button', { name: button }).click();
  // After a refusal, a client that was never accepted is not redirected to: the person may follow a link, which names its target.
  if (button === 'Refuser') await page.getByRole('link', { name: /^Revenir à 127\.0\.0\.1/ }).click();
  const back = await returned;
  // The client hears of it before the page shows it: a page on its way there would end the next `goto`.
  await page.waitForURL((url) => url.pathname === '/retour');
  return back;
}

class Provider implements OAuthClientProvider {
  asked: URL | undefined;
  private information: StoredOAuthClientInformation | undefined;
  private saved: StoredOAuthTokens | undefined;
  private verifier = '';
  get redirectUrl() {
    return redirectUri();
  }
  get clientMetadata() {
    return {
      client_name: 'Assistant officiel',
      redirect_uris: [redirectUri()],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'brain:read brain:write',
    };
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: StoredOAuthClientInformation) {
    this.information = information;
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.asked = address;
  }
  saveCodeVerifier(verifier: string) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
  state() {
    return 'état';
  }
}

/** Registers a client under this name, and returns its authorization address with the parameters `asked`. */
async function authorizeAddress(clientName: string, asked: Record<string, string>): Promise<URL> {
  const registered = await fetch(new URL('/api/oauth/register', browser.app.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri()],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const address = new URL('/api/oauth/authorize', browser.app.baseUrl);
  address.search = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    resource: `${browser.app.baseUrl}/api/mcp`,
    code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
    code_challenge_method: 'S256',
    ...asked,
  }).toString();
  return address;
}

describe('an assistant connects by itself', () => {
  it('the official client discovers, registers, gets consent in Chromium, calls its tools in both eras, and is sent to ask for the right that it lacks', async () => {
    const endpoint = new URL('/api/mcp', browser.app.baseUrl);
    const provider = new Provider();
    const open = async (mode: 'legacy' | 'auto') => {
      const client = new Client({ name: 'assistant', version: '1.0.0' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: provider }));
      return client;
    };
    const first = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
    await expect(new Client({ name: 'assistant', version: '1.0.0' }).connect(first)).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    expect(provider.asked?.searchParams.get('resource')).toBe(endpoint.href);

    const page = await signedIn();
    await page.goto(provider.asked?.href ?? '');
    await page.waitForURL(/\/oauth\/consentement\?/);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Assistant officiel');
    expect(text).toContain(new URL(redirectUri()).host);
    expect(text).toContain('Lire les espaces');
    expect(text).toContain('Ajouter des mémoires');
    expect(await faults(page, { impacts: 'all' })).toEqual([]);

    const back = await decideHere(page, 'Accepter');
    expect(back.searchParams.get('iss')).toBe(browser.app.baseUrl);
    await first.finishAuth(back.searchParams);

    for (const [mode, revision] of [
      ['legacy', '2025-11-25'],
      ['auto', '2026-07-28'],
    ] as const) {
      const client = await open(mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual([
        'brain_add_memory',
        'brain_get_context',
        'brain_get_memory',
        'brain_list_spaces',
        'brain_propose_memory',
        'brain_quota',
        'brain_search',
        'fetch',
        'search',
      ]);
      const call = async (name: string, args: Record<string, unknown>) => {
        const result = await client.callTool({ name, arguments: args });
        expect(result.isError, JSON.stringify(result)).toBeFalsy();
        return result.structuredContent as Record<string, never>;
      };
      const spaceId = browser.app.demo?.spaceId;
      expect(await call('brain_list_spaces', {})).toMatchObject({ object: 'list' });
      expect(await call('brain_get_context', { spaceId, maxChars: 500 })).toMatchObject({
        object: 'context',
        maxChars: 500,
      });
      expect(await call('brain_search', { q: 'marque' })).toMatchObject({ object: 'list', query: 'marque' });
      expect(await call('brain_quota', {})).toMatchObject({ object: 'quota', activated: true });
      const title = `Ajout d’essai ${Date.now()}`;
      const added = await call('brain_add_memory', {
        spaceId,
        pillar: 'KNOWLEDGE',
        title,
        body: 'Par le client officiel.',
      });
      expect(added).toMatchObject({ object: 'memory', source: 'MCP', title });
      expect(await call('brain_get_memory', { memoryId: added.id })).toMatchObject({
        id: added.id,
        body: 'Par le client officiel.',
      });
      const { results } = await call('search', { query: title });
      expect(results?.[0]).toMatchObject({ id: added.id, title });
      expect(await call('fetch', { id: added.id })).toMatchObject({ text: 'Par le client officiel.' });
      // The right to propose is not part of the first authorization: the client must request it from its member.
      const proposal = { spaceId, pillar: 'KNOWLEDGE', title, body: 'Autrement.' };
      await expect(
        client.callTool({ name: 'brain_propose_memory', arguments: proposal }),
      ).rejects.toBeInstanceOf(UnauthorizedError);
      expect(provider.asked?.searchParams.get('scope')).toContain('brain:propose');
      await client.close();
    }
  });

  it('a member who is not signed in gets the mailed code, consents in the same tab, and the client receives its answer', async () => {
    const address = await authorizeAddress('Assistant d’un visiteur', { state: 'depuis-la-connexion' });
    const page = await browser.newPage();
    const returned = new Promise<URL>((resolve) => {
      arrived = resolve;
    });
    // A member of a new account, because another test file requests codes of the demonstration's founder.
    const scenes = await openScenes(browser.app);
    const { ctx } = await scenes.seat();
    const { email } = await ctx.db.member.findUniqueOrThrow({ where: { id: ctx.actor.memberId } });
    await scenes.close();
    await askCode(page, email ?? '', address.href);
    expect(new URL(page.url()).searchParams.get('retour')).toMatch(/^\/oauth\/consentement\?/);
    await page.getByLabel('Code à six chiffres').fill(await mailedCode(page, browser.app, email ?? ''));
    await page.waitForURL(/\/oauth\/consentement\?/);
    await page.getByRole('button', { name: 'Accepter' }).click();
    const back = await returned;
    expect(back.searchParams.get('state')).toBe('depuis-la-connexion');
    expect(back.searchParams.get('code')).toBeTruthy();
  });

  it('a proof of identity is asked for before the choices, which the page would forget when it is drawn again', async () => {
    const scenes = await openScenes(browser.app);
    const seat = await scenes.seat();
    const { memberId } = seat.ctx.actor;
    const { email } = await seat.ctx.db.member.findUniqueOrThrow({ where: { id: memberId } });
    const verifiedAt = new Date(Date.now() - 3_600_000);
    await seat.ctx.db.session.updateMany({ where: { memberId }, data: { verifiedAt } });
    await scenes.close();
    const address = await authorizeAddress('Assistant qui écrit', { scope: 'brain:read brain:write' });
    const page = await browser.newPage();
    await page.context().addCookies([{ ...seat.cookie, url: browser.app.baseUrl }]);
    await page.goto(address.href);
    const choice = page.getByRole('radio', { name: 'Certains' });
    await page.getByRole('button', { name: 'Confirmer que c’est vous' }).click();
    expect(await page.locator('input[name=reach]').count()).toBe(0);
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' });
    await proof.getByRole('button', { name: 'Recevoir un code par e-mail' }).click();
    const field = proof.getByLabel('Code à six chiffres');
    await field.waitFor();
    await field.fill(await mailedCode(page, browser.app, email ?? ''));
    await page.getByRole('button', { name: 'Accepter' }).waitFor();
    expect(await choice.count()).toBe(1);
  });

  it('can be refused even if the field of its cap is empty', async () => {
    const page = await signedIn();
    const address = await authorizeAddress('Assistant qui dépense', {
      scope: 'brain:read studio:generate',
      resource: `${browser.app.baseUrl}/api/v1`,
    });
    await page.goto(address.href);
    await page.getByLabel('Plafond par mois, en $US').fill('');
    await page.getByRole('button', { name: 'Refuser' }).click();
    await page.getByRole('link', { name: /^Revenir à 127\.0\.0\.1/ }).waitFor();
  });

  it('oauth4webapi, strict about every answer: code flow, concurrent refreshes, revocation', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(browser.app.baseUrl);
    const resource = new URL('/api/v1', issuer);
    const protectedResource = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    expect(protectedResource.authorization_servers).toEqual([browser.app.baseUrl]);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        {
          client_name: 'Bibliothèque stricte',
          redirect_uris: [redirectUri()],
          token_endpoint_auth_method: 'none',
        },
        insecure,
      ),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? '');
    for (const [name, value] of Object.entries({
      client_id: client.client_id,
      redirect_uri: redirectUri(),
      response_type: 'code',
      scope: 'brain:read',
      state,
      resource: resource.href,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);

    const page = await signedIn();
    const refused = await decide(page, address, 'Refuser');
    expect(() => oauth.validateAuthResponse(server, client, refused, state)).toThrow(
      expect.objectContaining({ error: 'access_denied' }),
    );
    const accepted = oauth.validateAuthResponse(
      server,
      client,
      await decide(page, address, 'Accepter'),
      state,
    );
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        accepted,
        redirectUri(),
        verifier,
        insecure,
      );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
    const read = (token: string) =>
      oauth.protectedResourceRequest(
        token,
        'GET',
        new URL('/api/v1/quota', issuer),
        new Headers(),
        null,
        insecure,
      );
    expect((await read(tokens.access_token)).status).toBe(200);

    const refresh = async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          oauth.None(),
          tokens.refresh_token ?? '',
          insecure,
        ),
      );
    const answers = await Promise.all([refresh(), refresh(), refresh(), refresh(), refresh()]);
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    expect((await read(answers[0]?.access_token ?? '')).status).toBe(200);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), answers[0]?.refresh_token ?? '', insecure),
    );
    await expect(read(answers[0]?.access_token ?? '')).rejects.toBeInstanceOf(
      oauth.WWWAuthenticateChallengeError,
    );
    expect((await exchange()).status).toBe(400);
  });

  it('the member finds the application, disconnects it, and its next request is refused', async () => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const page = await signedIn();
    const verifier = oauth.generateRandomCodeVerifier();
    const metadata = {
      client_name: 'Assistant à retirer',
      redirect_uris: [redirectUri()],
      token_endpoint_auth_method: 'none',
    };
    const registered = await fetch(new URL('/api/oauth/register', browser.app.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const resource = `${browser.app.baseUrl}/api/v1`;
    const address = new URL('/api/oauth/authorize', browser.app.baseUrl);
    address.search = new URLSearchParams({
      client_id,
      redirect_uri: redirectUri(),
      response_type: 'code',
      resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const back = await decide(page, address, 'Accepter');
    const answer = await fetch(new URL('/api/oauth/token', browser.app.baseUrl), {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id,
        code: back.searchParams.get('code') ?? '',
        redirect_uri: redirectUri(),
        code_verifier: verifier,
      }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const read = () =>
      oauth.protectedResourceRequest(
        access_token,
        'GET',
        new URL(`${resource}/quota`),
        new Headers(),
        null,
        insecure,
      );
    expect((await read()).status).toBe(200);

    await page.goto('/applications');
    const row = page.getByRole('row').filter({ hasText: 'Assistant à retirer' });
    await row.waitFor();
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
    await row.getByRole('button', { name: 'Déconnecter' }).click();
    await page.getByRole('button', { name: 'Déconnecter l’application' }).click();
    // Waiting for the row is not enough: an open dialog hides the table from `getByRole`.
    await page.getByText('Application déconnectée').first().waitFor();
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await expect(read()).rejects.toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
  });

  it('the guide gives the address to copy, and a bad request ends on a page without any redirect', async () => {
    const page = await signedIn();
    await page.goto('/applications/connecter');
    await page.getByText(`${browser.app.baseUrl}/api/mcp`).first().waitFor();
    expect(await faults(page, { impacts: 'all' })).toEqual([]);
    const refused = await page.goto(
      '/api/oauth/authorize?client_id=inconnu&redirect_uri=https://ailleurs.exemple/',
    );
    expect(refused?.status()).toBe(400);
    expect(page.url()).toContain('/api/oauth/authorize');
    expect(await page.locator('h1').innerText()).toBe('Cette demande de connexion est refusée');
    browser.forgetErrors();
  });
});
