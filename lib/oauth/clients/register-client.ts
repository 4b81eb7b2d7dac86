import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Client, viewClient } from '../protocol/client.ts';
import { metadataHash, parseClientMetadata } from '../protocol/client-metadata.ts';
import { REGISTRATIONS_PER_MINUTE } from '../protocol/config.ts';
import { countAttempt } from './count-attempt.ts';
import { purgeClients } from './purge-clients.ts';

/**
 * Registers a public client (RFC 7591), once for the same metadata: a repeated registration returns the same client, and one that asks for a
 * secret is registered without. Every try is first counted per network; a new client purges the unused ones. Registering again restarts a client's
 * age, so that it outlives the consent that it came for. Errors: `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable`
 * (429).
 */
export async function registerClient(
  ctx: Context,
  input: { metadata: unknown; network: string },
): Promise<Client & { scopes: string[] }> {
  await countAttempt(ctx, { what: 'register', network: input.network, perMinute: REGISTRATIONS_PER_MINUTE });
  const metadata = parseClientMetadata(input.metadata, { isRegistration: true });
  const { name, redirectUris, uri, scopes } = metadata;
  const hash = metadataHash(metadata);
  const now = ctx.clock.now();
  const again = await ctx.db.oAuthClient.findUnique({ where: { metadataHash: hash } });
  if (again) {
    const kept = await startAfresh(ctx, again, now);
    if (kept) return { ...viewClient(kept), scopes };
  }
  await ctx.db.oAuthClient.createMany({
    data: [{ id: createId('oauthClient', now), metadataHash: hash, name, redirectUris, uri, createdAt: now }],
    skipDuplicates: true,
  });
  const row = await ctx.db.oAuthClient.findUniqueOrThrow({ where: { metadataHash: hash } });
  await purgeClients(ctx);
  return { ...viewClient(row), scopes };
}

/** The client with the date that the purge looks at set to now; null when it was purged meanwhile. */
async function startAfresh(ctx: Context, client: { id: string; usedAt: Date | null }, now: Date) {
  const dated = client.usedAt === null ? { createdAt: now } : { usedAt: now };
  const { count } = await ctx.db.oAuthClient.updateMany({ where: { id: client.id }, data: dated });
  return count === 0 ? null : ctx.db.oAuthClient.findUnique({ where: { id: client.id } });
}

/** A registered client in the words of RFC 7591. */
export function clientInformation(client: Client & { scopes: string[] }) {
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    ...(client.uri ? { client_uri: client.uri } : {}),
    ...(client.scopes.length > 0 ? { scope: client.scopes.join(' ') } : {}),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}
