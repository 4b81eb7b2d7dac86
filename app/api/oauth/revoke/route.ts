import { oauthPath, subscriptionName, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { MAX_OAUTH_REQUEST_BYTES, publicClientId, readForm } from '#lib/http/requests/oauth-requests.ts';
import { emptySchema, revocationForm } from '#lib/oauth/protocol/schemas.ts';
import { revokeToken } from '#lib/oauth/revoke-token.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  POST: withOAuth(
    {
      id: 'revokeToken',
      summary: 'Révoquer un jeton',
      tag: 'OAuth',
      body: { type: 'form', schema: revocationForm, maxBytes: MAX_OAUTH_REQUEST_BYTES },
      answers: { 200: { description: 'Révoqué, ou inconnu', schema: emptySchema } },
    },
    async (ctx, request) => {
      const form = await readForm(request, revocationForm);
      const clientId = publicClientId(request, form);
      const token = form.need('token');
      await revokeToken(ctx, { clientId, token, network: subscriptionName(request.headers) });
      return { status: 200, body: {} };
    },
  ),
});
