import type { Context } from '#lib/core/context.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { SafeFetch } from '#lib/core/net/safe-fetch.ts';
import { utf8Json } from '#lib/core/text/utf8.ts';
import { type Client, viewClient } from '../protocol/client.ts';
import { parseClientMetadata } from '../protocol/client-metadata.ts';
import { DOCUMENT_FRESH_MS, DOCUMENT_READS_PER_MINUTE, DOCUMENT_STALE_MS } from '../protocol/config.ts';
import { OAuthError } from '../protocol/errors.ts';
import { countAttempt } from './count-attempt.ts';
import { purgeClients } from './purge-clients.ts';

const MAX_ADDRESS_LENGTH = 500;
const MAX_DOCUMENT_BYTES = 16 * 1024;
const TIMEOUT_MS = 5_000;

/**
 * The client described by the document at `address` (client-id metadata document), read through the safe fetcher, without redirects, and
 * cached for an hour. While the document cannot be read, or this network has read too many, the last copy serves for a day. A first read
 * purges unused clients, as a registration does. Errors: `invalid_client`, `temporarily_unavailable` (429) for a network that asks for too
 * many documents.
 */
export async function readClientMetadata(
  ctx: Context,
  input: { address: string; network: string; safeFetch: SafeFetch },
): Promise<Client> {
  const { address } = input;
  requireAddress(address);
  const now = ctx.clock.now();
  const known = await ctx.db.oAuthClient.findUnique({ where: { id: address } });
  const ageMs = known?.fetchedAt ? now.getTime() - known.fetchedAt.getTime() : Number.POSITIVE_INFINITY;
  if (known && ageMs < DOCUMENT_FRESH_MS) return viewClient(known);

  let document: unknown;
  try {
    await countAttempt(ctx, {
      what: 'document',
      network: input.network,
      perMinute: DOCUMENT_READS_PER_MINUTE,
    });
    document = await readDocument(address, input.safeFetch);
  } catch (error) {
    if (known && ageMs < DOCUMENT_STALE_MS) return viewClient(known);
    throw error;
  }
  const { name, redirectUris, uri } = parseDocument(address, document);
  const row = await ctx.db.oAuthClient.upsert({
    where: { id: address },
    create: { id: address, name, redirectUris, uri, createdAt: now, fetchedAt: now },
    update: { name, redirectUris, uri, fetchedAt: now },
  });
  // As a registration does: publishing documents without end must not leave more clients than registering.
  if (!known) await purgeClients(ctx);
  return viewClient(row);
}

function refuse(message: string, cause?: unknown): never {
  throw new OAuthError('invalid_client', message, { cause });
}

function requireAddress(address: string): void {
  const url = URL.parse(address);
  const isPlain =
    url !== null &&
    url.protocol === 'https:' &&
    url.href === address &&
    url.pathname !== '/' &&
    !address.includes('#') &&
    !url.username &&
    !url.password;
  if (!isPlain || address.length > MAX_ADDRESS_LENGTH)
    refuse('client_id n’est pas l’adresse https d’un document de client.');
}

async function readDocument(address: string, safeFetch: SafeFetch): Promise<unknown> {
  try {
    const { bytes } = await safeFetch(address, {
      maxBytes: MAX_DOCUMENT_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 0,
      accept: ['application/json'],
    });
    return utf8Json(bytes);
  } catch (error) {
    if (error instanceof FetchRefusal || error instanceof SyntaxError || error instanceof TypeError)
      refuse('Le document du client (client_id) n’a pas pu être lu.', error);
    throw error;
  }
}

function parseDocument(address: string, document: unknown) {
  const claims = document as { client_id?: unknown; client_secret?: unknown } | null;
  if (claims?.client_id !== address)
    refuse('Le document du client ne porte pas sa propre adresse (client_id).');
  if (claims.client_secret !== undefined) refuse('Le document du client contient un secret.');
  try {
    return parseClientMetadata(document);
  } catch (error) {
    if (error instanceof OAuthError) refuse(`Le document du client est refusé. ${error.message}`, error);
    throw error;
  }
}
