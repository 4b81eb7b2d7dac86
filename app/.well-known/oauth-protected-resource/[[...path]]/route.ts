import { oauthPath, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { RESOURCE_PATHS } from '#lib/oauth/protocol/config.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';
import { protectedResourceMetadata } from '#lib/oauth/protocol/metadata.ts';
import { protectedResourceSchema } from '#lib/oauth/protocol/schemas.ts';

const HERE = '/.well-known/oauth-protected-resource';

// Without a path, the resource that assistants look for.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  GET: withOAuth(
    {
      id: 'readProtectedResource',
      summary: 'Une ressource protégée (RFC 9728)',
      tag: 'OAuth',
      answers: { 200: { description: 'Ses métadonnées', schema: protectedResourceSchema } },
    },
    async (_ctx, request) => {
      const asked = new URL(request.url).pathname.slice(HERE.length) || '/api/mcp';
      const path = RESOURCE_PATHS.find((one) => one === asked);
      if (!path)
        throw new OAuthError('invalid_request', `Les ressources sont ${RESOURCE_PATHS.join(' et ')}.`, {
          status: 404,
        });
      return {
        status: 200,
        body: protectedResourceMetadata(serviceOrigin(request), path),
        headers: { 'Cache-Control': 'public, max-age=300' },
      };
    },
  ),
});
