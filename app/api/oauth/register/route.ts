import { networkName, oauthPath, readMetadata } from '#lib/http/middleware/with-oauth.ts';
import { registerClient } from '#lib/oauth/clients/register-client.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath('POST', async (ctx, request) => {
  const client = await registerClient(ctx, {
    metadata: await readMetadata(request),
    network: networkName(request.headers),
  });
  return {
    status: 201,
    body: {
      client_id: client.id,
      client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      ...(client.uri ? { client_uri: client.uri } : {}),
      ...(client.scopes.length > 0 ? { scope: client.scopes.join(' ') } : {}),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  };
});
