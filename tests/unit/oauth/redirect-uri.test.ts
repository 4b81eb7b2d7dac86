import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerLocation, readResource, readScopes, refusalLocation } from '#lib/oauth/check-authorization.ts';
import { parseClientMetadata } from '#lib/oauth/protocol/client-metadata.ts';
import { isRegisteredRedirect, redirectTarget, redirectUriFault } from '#lib/oauth/protocol/redirect-uri.ts';

describe('redirect addresses', () => {
  test.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://a.exemple/retour?x=1',
    'http://127.0.0.1:33418/',
    'http://localhost/callback',
    'http://[::1]:8080/retour',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'claude://claude.ai/mcp-auth-callback/sdk',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/3f9aB_-c01',
    'vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/3f9a',
    'com.exemple.app:/retour',
  ])('%s can receive an answer', (address) => {
    expect(redirectUriFault(address)).toBeNull();
    expect(redirectTarget(address).label).not.toBe('');
  });

  test.each([
    'http://exemple.fr/retour',
    'http://127.0.0.1.exemple.fr/retour',
    'http://localhost.exemple.fr/',
    'https://a.exemple/#f',
    'https://a.exemple/#',
    'https://moi:mot@a.exemple/',
    'https://moi@a.exemple/',
    'claude://claude.ai/new?q=x',
    'claude://claude.ai/mcp-auth-callback/sdk/..',
    'vscode://saoudrizwan.claude-dev/task?prompt=x',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/../../task',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/%2e%2e',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/3f9a?prompt=x',
    'vscode://autre.extension/mcp-auth/callback/3f9a',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.exemple/1',
    '/retour',
    'retour',
    '',
    'https://a.exemple/ espace',
    'https://a.exemple/\n',
    'https://é.exemple/',
    `https://a.exemple/${'x'.repeat(2000)}`,
  ])('%s cannot', (address) => {
    expect(redirectUriFault(address)).not.toBeNull();
    expect(isRegisteredRedirect(address, [address])).toBe(false);
  });

  test('match character for character; only a loopback address may change its port', () => {
    const registered = [
      'https://a.exemple/retour',
      'http://127.0.0.1:1234/retour',
      'http://[::1]/r',
      'http://localhost/cb',
    ];
    for (const same of [
      ...registered,
      'http://127.0.0.1:9/retour',
      'http://127.0.0.1/retour',
      'http://[::1]:77/r',
      'http://localhost:5/cb',
    ])
      expect(isRegisteredRedirect(same, registered)).toBe(true);
    for (const other of [
      'https://a.exemple/retour/',
      'https://a.exemple/retour?x=1',
      'https://a.exemple:444/retour',
      'https://a.exemple:443/retour',
      'https://A.exemple/retour',
      'https://a.exemple/Retour',
      'https://a.exemple/retour/../retour',
      'http://127.0.0.1:9/autre',
      'http://localhost:9/retour',
      'https://127.0.0.1:9/retour',
      'http://127.0.0.1:9@ailleurs.exemple/retour',
      'http://127.0.0.1:80@ailleurs.exemple/retour',
    ])
      expect(isRegisteredRedirect(other, registered)).toBe(false);
  });

  test('any port of a loopback address matches, whatever else is in the address does not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), fc.webPath(), (port, path) => {
        const asked = `http://127.0.0.1:${port}${path || '/'}`;
        fc.pre(redirectUriFault(asked) === null);
        expect(isRegisteredRedirect(asked, [`http://127.0.0.1${path || '/'}`])).toBe(true);
        expect(isRegisteredRedirect(asked, [`http://127.0.0.1${path || '/'}x`])).toBe(false);
        expect(isRegisteredRedirect(asked, [`https://127.0.0.1${path || '/'}`])).toBe(false);
      }),
    );
  });

  test('an answer keeps the registered query as it is', () => {
    expect(answerLocation('https://a.exemple/r?x=%20y', { code: 'c&d' })).toBe(
      'https://a.exemple/r?x=%20y&code=c%26d',
    );
    expect(answerLocation('app://r', { code: 'c' })).toBe('app://r?code=c');
    // An empty query, or one that ends with &, is continued.
    expect(answerLocation('https://a.exemple/r?', { code: 'c' })).toBe('https://a.exemple/r?code=c');
    expect(answerLocation('https://a.exemple/r?x=1&', { code: 'c' })).toBe('https://a.exemple/r?x=1&code=c');
    expect(answerLocation('https://a.exemple/r?x=1&y=2', { code: 'c' })).toBe(
      'https://a.exemple/r?x=1&y=2&code=c',
    );
  });

  test('a refusal says why, by whom, and with the state that was given, if one was', () => {
    const refusal = { redirectUri: 'https://a.exemple/r', issuer: 'https://atelier.exemple' } as const;
    const told = (state: string | null) =>
      Object.fromEntries(
        new URL(refusalLocation({ ...refusal, state, code: 'invalid_scope', message: 'non' })).searchParams,
      );
    const said = { error: 'invalid_scope', error_description: 'non', iss: 'https://atelier.exemple' };
    expect(told('s')).toEqual({ ...said, state: 's' });
    expect(told('')).toEqual({ ...said, state: '' });
    expect(told(null)).toEqual(said);
  });

  test('an address that was registered and is none matches nothing', () => {
    expect(isRegisteredRedirect('http://localhost:2/r', ['http://localhost:99999/r'])).toBe(false);
  });
});

describe('resource and scope', () => {
  const issuer = 'https://atelier.exemple';

  test('one resource of ours is accepted, in its harmless spellings', () => {
    for (const value of [`${issuer}/api/mcp`, `${issuer}/api/mcp/`, 'HTTPS://ATELIER.exemple:443/api/mcp'])
      expect(readResource([value], issuer)).toBe('/api/mcp');
    expect(readResource([`${issuer}/api/v1`], issuer)).toBe('/api/v1');
  });

  test.each([
    [[]],
    [['']],
    [[issuer]],
    [[`${issuer}/`]],
    [[`${issuer}/api`]],
    [[`${issuer}/api/mcp#x`]],
    [[`${issuer}/api/mcp?x=1`]],
    [[`${issuer}/api/mcp?`]],
    [[`${issuer}/api/mcp#`]],
    [[`${issuer}/api/mcp//`]],
    [['https://nom@atelier.exemple/api/mcp']],
    [['https://:mot@atelier.exemple/api/mcp']],
    [['https://ailleurs.exemple/api/mcp']],
    [['http://atelier.exemple/api/mcp']],
    [['/api/mcp']],
    [[`${issuer}/api/mcp`, `${issuer}/api/v1`]],
  ])('%j is invalid_target', (values) => {
    expect(() => readResource(values, issuer)).toThrow(expect.objectContaining({ code: 'invalid_target' }));
  });

  test('no scope means reading; projects:read and unknown scopes are refused; offline_access is let pass', () => {
    expect(readScopes(null)).toEqual(['brain:read']);
    expect(readScopes('offline_access')).toEqual(['brain:read']);
    expect(readScopes(' ')).toEqual(['brain:read']);
    expect(readScopes(' brain:write  studio:read offline_access')).toEqual(['brain:write', 'studio:read']);
    expect(readScopes('brain:write brain:read brain:write')).toEqual(['brain:read', 'brain:write']);
    expect(readScopes('studio:generate studio:read')).toEqual(['studio:read', 'studio:generate']);
    for (const text of ['projects:read', 'brain:read admin', 'BRAIN:READ'])
      expect(() => readScopes(text)).toThrow(expect.objectContaining({ code: 'invalid_scope' }));
  });

  test('what assistants ask every server for by habit is let pass, and gives nothing', () => {
    expect(readScopes('openid email profile')).toEqual(['brain:read']);
    expect(readScopes('claudeai')).toEqual(['brain:read']);
    expect(readScopes('openid brain:write offline_access')).toEqual(['brain:write']);
    for (const text of ['openid admin', 'OpenID', 'address'])
      expect(() => readScopes(text)).toThrow(expect.objectContaining({ code: 'invalid_scope' }));
  });
});

describe('client metadata', () => {
  const redirect_uris = ['https://a.exemple/r'];

  test('a name is one short line without hidden or reversing characters', () => {
    const name = (client_name?: string) => parseClientMetadata({ redirect_uris, client_name }).name;
    expect(name('  Mon \u202Eassistant\u0001\n2 ')).toBe('Mon assistant 2');
    for (const text of ['a\u0000b', 'a\ud800b'])
      expect(() => name(text)).toThrow(expect.objectContaining({ code: 'invalid_client_metadata' }));
    expect(name('é'.repeat(500))).toHaveLength(80);
    // Counted as a reader counts: an emoji is one character, a combining accent none.
    expect(name('🌿'.repeat(100))).toBe('🌿'.repeat(80));
    expect(name('e\u0301'.repeat(100))).toBe('é'.repeat(80));
    expect(name('\u200b\u200b')).toBe('a.exemple');
    expect(name()).toBe('a.exemple');
  });

  test.each([
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://a.exemple' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://exemple.fr'] }, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.exemple/${i}`) },
      'invalid_redirect_uri',
    ],
    [{ redirect_uris, token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
    [{ redirect_uris, grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
    [{ redirect_uris, response_types: ['token'] }, 'invalid_client_metadata'],
    [{ redirect_uris, client_name: 4 }, 'invalid_client_metadata'],
    [null, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
  ])('%j is refused', (metadata, code) => {
    expect(() => parseClientMetadata(metadata)).toThrow(expect.objectContaining({ code }));
  });
});
