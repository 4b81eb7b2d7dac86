import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Client, viewClient } from '../protocol/client.ts';
import { metadataHash, parseClientMetadata } from '../protocol/client-metadata.ts';
import { REGISTRATIONS_PER_MINUTE } from '../protocol/config.ts';
import { countAttempt } from './count-attempt.ts';
import { reapClients } from './reap-clients.ts';

/**
 * Registers a public client (RFC 7591), once per metadata: the same metadata give the same client again. New clients are
 * counted per network address, and those that nobody uses are reaped.
 * Errors: `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable` (429).
 */
export async function registerClient(
  ctx: Context,
  input: { metadata: unknown; network: string },
): Promise<Client & { scopes: string[] }> {
  const metadata = parseClientMetadata(input.metadata);
  const { name, redirectUris, uri, scopes } = metadata;
  const hash = metadataHash(metadata);
  const known = await ctx.db.oAuthClient.findUnique({ where: { metadataHash: hash } });
  if (known) return { ...viewClient(known), scopes };

  await countAttempt(ctx, { what: 'register', network: input.network, perMinute: REGISTRATIONS_PER_MINUTE });
  const now = ctx.clock.now();
  await ctx.db.oAuthClient.createMany({
    data: [{ id: createId('oauthClient', now), metadataHash: hash, name, redirectUris, uri, createdAt: now }],
    skipDuplicates: true,
  });
  const row = await ctx.db.oAuthClient.findUniqueOrThrow({ where: { metadataHash: hash } });
  await reapClients(ctx);
  return { ...viewClient(row), scopes };
}
