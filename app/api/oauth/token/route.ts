import { env } from '#lib/core/env.ts';
import { oauthPath, subscriptionName, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { MAX_OAUTH_REQUEST_BYTES, publicClientId, readForm } from '#lib/http/requests/oauth-requests.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { exchangeCode } from '#lib/oauth/exchange-code.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';
import { tokenForm, tokenSchema } from '#lib/oauth/protocol/schemas.ts';
import { refreshTokens } from '#lib/oauth/refresh-tokens.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  POST: withOAuth(
    {
      id: 'grantToken',
      summary: 'Échanger un code, ou renouveler un jeton',
      tag: 'OAuth',
      body: { type: 'form', schema: tokenForm, maxBytes: MAX_OAUTH_REQUEST_BYTES },
      answers: { 200: { description: 'Les jetons', schema: tokenSchema } },
    },
    async (ctx, request) => {
      const form = await readForm(request, tokenForm);
      const clientId = publicClientId(request, form);
      const grantType = form.need('grant_type');
      if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
        throw new OAuthError(
          'unsupported_grant_type',
          'grant_type doit valoir authorization_code ou refresh_token.',
        );
      const common = {
        clientId,
        network: subscriptionName(request.headers),
        resources: form.all('resource'),
        issuer: serviceOrigin(request),
      };
      const body =
        grantType === 'authorization_code'
          ? await exchangeCode(ctx, {
              ...common,
              code: form.need('code'),
              verifier: form.need('code_verifier'),
              redirectUri: form.get('redirect_uri'),
            })
          : await refreshTokens(ctx, {
              ...common,
              refreshToken: form.need('refresh_token'),
              scope: form.get('scope'),
              secret: env().SERVICE_SESSION_SECRET,
            });
      return { status: 200, body };
    },
  ),
});
