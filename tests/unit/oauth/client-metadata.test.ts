import { describe, expect, test } from 'vitest';
import { readResource, readScopes } from '#lib/oauth/check-authorization.ts';
import { metadataHash, parseClientMetadata } from '#lib/oauth/protocol/client-metadata.ts';
import { isRegisteredRedirect, redirectTarget, redirectUriFault } from '#lib/oauth/protocol/redirect-uri.ts';

const BACK = 'https://assistant.exemple/retour';
const read = (more: object = {}) => parseClientMetadata({ redirect_uris: [BACK], ...more });
const refused = (value: unknown) => {
  try {
    parseClientMetadata(value);
    return null;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return [code, message];
  }
};
const asked = (more: object) => refused({ redirect_uris: [BACK], ...more });

describe('what a client says of itself', () => {
  const object = ['invalid_client_metadata', 'Les métadonnées doivent être un objet JSON.'];
  test.each([null, 'texte', 3, undefined, [], [BACK]])('%o is no metadata', (value) => {
    expect(refused(value)).toEqual(object);
  });

  test.each<[object, string]>([
    [{ client_name: 'a\u0000' }, 'client_name\u00a0: '],
    [{ client_name: 3 }, 'Le champ client_name n’a pas la forme attendue.'],
    [{ grant_types: ['a', 3] }, 'Le champ grant_types.1 n’a pas la forme attendue.'],
    [{ grant_types: ['implicit'] }, 'grant_types doit contenir authorization_code.'],
    [{ response_types: ['token'] }, 'response_types doit contenir code.'],
    [
      { token_endpoint_auth_method: 'client_secret_basic' },
      'Seuls les clients publics sont acceptés\u00a0: token_endpoint_auth_method doit valoir none.',
    ],
  ])('%o is refused, and told why', (more, message) => {
    expect(asked(more)).toEqual(['invalid_client_metadata', expect.stringContaining(message)]);
  });

  test('a public client that asks for codes is taken, whatever else it says', () => {
    expect(
      read({
        client_name: ' Mon  assistant ',
        client_uri: 'https://assistant.exemple',
        autre: 1,
        grant_types: ['refresh_token', 'authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'openid brain:read brain:write',
      }),
    ).toEqual({
      name: 'Mon assistant',
      redirectUris: [BACK],
      uri: 'https://assistant.exemple/',
      scopes: ['brain:read', 'brain:write'],
    });
    expect(read()).toEqual({ name: 'assistant.exemple', redirectUris: [BACK], uri: null, scopes: [] });
    expect(read({ redirect_uris: ['com.exemple.app:/retour'] }).name).toBe('com.exemple.app');
  });

  test('a registration may ask for a secret, and is read as one without; any other way of proving who one is is refused', () => {
    const registered = (method: string) =>
      parseClientMetadata(
        { redirect_uris: [BACK], token_endpoint_auth_method: method },
        { isRegistration: true },
      );
    for (const method of ['client_secret_post', 'client_secret_basic'])
      expect(registered(method)).toEqual(read());
    for (const method of ['private_key_jwt', 'tls_client_auth', 'inconnu'])
      expect(() => registered(method)).toThrow(expect.objectContaining({ code: 'invalid_client_metadata' }));
  });

  test('a client that prefers a key and offers to do without one is public; one that does not offer it is refused', () => {
    const offering = (methods: string[]) => ({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: methods,
    });
    expect(read(offering(['none', 'private_key_jwt']))).toEqual(read());
    for (const methods of [['private_key_jwt'], []])
      expect(asked(offering(methods))?.[0]).toBe('invalid_client_metadata');
  });

  test('a field that is null is a field that is not said', () => {
    const unsaid = { client_name: null, client_uri: null, scope: null, grant_types: null };
    expect(read({ ...unsaid, response_types: null, token_endpoint_auth_method: null })).toEqual(read());
    expect(asked({ redirect_uris: null })?.[0]).toBe('invalid_redirect_uri');
  });

  test('has from one to twenty addresses, each of which may receive an answer, each once', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `${BACK}/${n}`);
    const count = ['invalid_redirect_uri', 'redirect_uris doit contenir de 1 à 20 adresses.'];
    for (const redirect_uris of [[], many(21), undefined, BACK, [3]])
      expect(asked({ redirect_uris })).toEqual(count);
    expect(read({ redirect_uris: many(20) }).redirectUris).toHaveLength(20);
    expect(read({ redirect_uris: [BACK, BACK] }).redirectUris).toEqual([BACK]);
  });

  test('a document’s addresses that cannot receive an answer are left out; a registration, which can be corrected, is refused for one', () => {
    const own = 'monappli://oauth/retour';
    const redirect_uris = ['http://127.0.0.1/retour', own, BACK, 'http://ailleurs.exemple/'];
    const { redirectUris } = read({ redirect_uris });
    expect(redirectUris).toEqual(['http://127.0.0.1/retour', BACK]);
    for (const address of [own, 'http://ailleurs.exemple/'])
      expect(isRegisteredRedirect(address, redirectUris)).toBe(false);
    const schema = redirectUriFault(own);
    expect(asked({ redirect_uris: [own, 'http://ailleurs.exemple/'] })).toEqual([
      'invalid_redirect_uri',
      schema,
    ]);
    expect(() => parseClientMetadata({ redirect_uris }, { isRegistration: true })).toThrow(
      expect.objectContaining({ code: 'invalid_redirect_uri', message: schema }),
    );
  });

  test.each([
    ['https://assistant.exemple/a', 'https://assistant.exemple/a'],
    ['http://assistant.exemple/', null],
    ['javascript:alert(1)', null],
    ['https://nom@assistant.exemple/', null],
    ['https://:mot@assistant.exemple/', null],
    ['pas une adresse', null],
    ['', null],
  ])('its page %s is shown as %s', (client_uri, uri) => {
    expect(read({ client_uri }).uri).toBe(uri);
  });

  test('is the same client in any order, and another one with anything else', () => {
    const one = { name: 'a', redirectUris: ['x', 'y'], uri: null, scopes: ['brain:read', 'brain:write'] };
    const hash = (more: object) => Buffer.from(metadataHash({ ...one, ...more })).toString('hex');
    expect(hash({ redirectUris: ['y', 'x'], scopes: ['brain:write', 'brain:read'] })).toBe(hash({}));
    const others = [
      { name: 'b' },
      { redirectUris: ['x'] },
      { uri: 'https://a/' },
      { scopes: ['brain:read'] },
    ];
    expect(new Set([hash({}), ...others.map(hash)]).size).toBe(5);
  });
});

describe('an address of return', () => {
  test.each([
    [`https://a.exemple/${'x'.repeat(1_983)}`, 'L’adresse de retour dépasse 2000 caractères.'],
    ['https://a.exemple/é', 'L’adresse de retour contient des caractères interdits.'],
    ['/retour', 'L’adresse de retour n’est pas une adresse complète.'],
    ['https://a.exemple/#', 'L’adresse de retour contient un fragment (#).'],
    ['https://nom@a.exemple/', 'L’adresse de retour contient un nom ou un mot de passe.'],
    ['https://:mot@a.exemple/', 'L’adresse de retour contient un nom ou un mot de passe.'],
    [
      'ftp://127.0.0.1/',
      'Le schéma de l’adresse de retour n’est ni un nom de domaine inversé (com.exemple.app) ni celui d’un assistant connu.',
    ],
  ])('%s: %s', (text, fault) => {
    expect(redirectUriFault(text)).toBe(fault);
  });

  test('is told by its host, or by its scheme; only what is on this machine is said to be', () => {
    expect(redirectUriFault(`https://a.exemple/${'x'.repeat(1_982)}`)).toBeNull();
    expect(
      ['https://a.exemple:8443/r', 'http://127.0.0.1:3000/r', 'com.exemple.app:/r'].map(redirectTarget),
    ).toEqual([
      { label: 'a.exemple:8443', isThisMachine: false },
      { label: '127.0.0.1:3000', isThisMachine: true },
      { label: 'com.exemple.app://', isThisMachine: true },
    ]);
  });

  test('changes its port on this machine alone, whatever else was registered', () => {
    const registered = [
      'pas une adresse',
      'com.exemple.app:/r',
      'https://localhost/r',
      'http://localhost:1/r',
    ];
    expect(isRegisteredRedirect('http://localhost:2/r', registered)).toBe(true);
    expect(isRegisteredRedirect('http://localhost:2/r', registered.slice(0, 3))).toBe(false);
    expect(isRegisteredRedirect('https://localhost:2/r', registered)).toBe(false);
    expect(isRegisteredRedirect('com.exemple.app:/s', registered)).toBe(false);
  });
});

test('what a request asks for and cannot have is told with what there is', () => {
  const issuer = 'https://atelier.exemple';
  const known = `${issuer}/api/mcp ou ${issuer}/api/v1`;
  expect(() => readResource([], issuer)).toThrow(`Le paramètre resource est obligatoire\u00a0: ${known}`);
  expect(() => readResource([''], issuer)).toThrow('est obligatoire');
  expect(() => readResource([`${issuer}/api/mcp`, 'x'], issuer)).toThrow(
    'Le paramètre resource est donné deux fois.',
  );
  expect(() => readResource(['https://ailleurs.exemple'], issuer)).toThrow(
    `La ressource demandée n’est pas ici\u00a0: ${known}`,
  );
  expect(() => readScopes('tout')).toThrow(
    'Les droits possibles sont brain:read, brain:write, brain:propose, studio:read et studio:generate.',
  );
});
