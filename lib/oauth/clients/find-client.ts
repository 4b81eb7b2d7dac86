import type { Context } from '#lib/core/context.ts';
import { isId } from '#lib/core/ids.ts';
import type { SafeFetch } from '#lib/core/net/safe-fetch.ts';
import { type Client, isDocumentAddress, viewClient } from '../protocol/client.ts';
import { OAuthError } from '../protocol/errors.ts';
import { readClientMetadata } from './read-client-metadata.ts';

/** The means to read a client's metadata document; without them only known clients are found. */
export type DocumentReader = { network: string; safeFetch: SafeFetch };

/** The client of a `client_id`; null when there is none. Errors: those of `readClientMetadata`. */
export async function findClient(
  ctx: Context,
  clientId: string,
  reader: DocumentReader | null,
): Promise<Client | null> {
  if (isDocumentAddress(clientId) && reader) return readClientMetadata(ctx, { address: clientId, ...reader });
  if (!isClientId(clientId)) return null;
  const row = await ctx.db.oAuthClient.findUnique({ where: { id: clientId } });
  return row && viewClient(row);
}

/** Whether a `client_id` is well formed: one of ours, or the address of a document. No query is made for any other. */
export function isClientId(clientId: string): boolean {
  const isOne = isId('oauthClient', clientId) || isDocumentAddress(clientId);
  return isOne && /^[\x21-\x7e]{1,500}$/.test(clientId);
}

/** The refusal of a client that is not known. */
export function unknownClient(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'Cette application est inconnue, ou oubliée\u00a0: enregistrez-la de nouveau.',
  );
}
