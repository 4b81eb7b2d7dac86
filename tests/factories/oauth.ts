import { createHash, randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { createId } from '#lib/core/ids.ts';
import { exchangeCode } from '#lib/oauth/exchange-code.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import { type Client, viewClient } from '#lib/oauth/protocol/client.ts';
import type { OAuthScope, ResourcePath } from '#lib/oauth/protocol/config.ts';
import type { TestService } from '#tests/setup/service.ts';
import { memberActor } from './account.ts';
import { testContext } from './context.ts';

export const ISSUER = 'http://atelier.test';
export const REDIRECT = 'https://assistant.exemple/retour';
/** Where clients ask for tokens from, as routes name it to the verbs. */
export const NETWORK = 'network-of-clients';

type MemberRow = Parameters<typeof memberActor>[0];
type Data = Pick<TestService, 'db' | 'kysely'>;

/** A PKCE verifier and its S256 challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export async function makeClient(
  service: Data,
  options: { redirectUris?: string[]; name?: string; now?: Date } = {},
): Promise<Client> {
  const now = options.now ?? new Date();
  const id = createId('oauthClient', now);
  const row = await service.db.oAuthClient.create({
    data: {
      id,
      metadataHash: sha256(id),
      name: options.name ?? 'Assistant de test',
      redirectUris: options.redirectUris ?? [REDIRECT],
      createdAt: now,
    },
  });
  return viewClient(row);
}

type GrantOptions = {
  client?: Client;
  scopes?: OAuthScope[];
  resource?: ResourcePath;
  clock?: Clock;
  redirectUri?: string;
};

/** A member's consent, through the verb: the code that the client received, and its verifier. */
export async function makeCode(service: Data, member: MemberRow, options: GrantOptions = {}) {
  const client = options.client ?? (await makeClient(service));
  const { verifier, challenge } = pkce();
  const redirectUri = options.redirectUri ?? REDIRECT;
  const clock = options.clock ?? systemClock;
  const location = await grantConsent(testContext(service, memberActor(member), { clock }), {
    issuer: ISSUER,
    request: {
      client,
      redirectUri,
      state: null,
      scopes: options.scopes ?? ['brain:read', 'brain:write'],
      resource: options.resource ?? '/api/mcp',
      challenge,
    },
  });
  const code = new URL(location).searchParams.get('code') as string;
  return { client, code, verifier, redirectUri };
}

/** Tokens of a member for one resource, obtained by the verbs. */
export async function makeTokens(service: Data, member: MemberRow, options: GrantOptions = {}) {
  const { client, code, verifier, redirectUri } = await makeCode(service, member, options);
  const ctx = testContext(service, { type: 'anonymous' } as const, { clock: options.clock ?? systemClock });
  const tokens = await exchangeCode(ctx, {
    clientId: client.id,
    network: NETWORK,
    code,
    verifier,
    redirectUri,
    resources: [],
    issuer: ISSUER,
  });
  return { client, code, verifier, redirectUri, tokens };
}
