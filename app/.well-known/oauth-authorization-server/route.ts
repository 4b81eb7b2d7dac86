import { oauthPath } from '#lib/http/middleware/with-oauth.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { authorizationServerMetadata } from '#lib/oauth/protocol/metadata.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath('GET', async (_, request) => ({
  status: 200,
  body: authorizationServerMetadata(serviceOrigin(request)),
  headers: { 'Cache-Control': 'public, max-age=300' },
}));
