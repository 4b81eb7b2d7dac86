import { oauthPath, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { authorizationServerMetadata } from '#lib/oauth/protocol/metadata.ts';
import { authorizationServerSchema } from '#lib/oauth/protocol/schemas.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  GET: withOAuth(
    {
      id: 'readAuthorizationServer',
      summary: 'Le serveur d’autorisation (RFC 8414)',
      tag: 'OAuth',
      answers: { 200: { description: 'Ses métadonnées', schema: authorizationServerSchema } },
    },
    async (_ctx, request) => ({
      status: 200,
      body: authorizationServerMetadata(serviceOrigin(request)),
      headers: { 'Cache-Control': 'public, max-age=300' },
    }),
  ),
});
