import { env } from '#lib/core/env.ts';
import { oauthPath, readForm, refuseClientSecret } from '#lib/http/middleware/with-oauth.ts';
import { serviceOrigin } from '#lib/http/security/origin.ts';
import { findClient } from '#lib/oauth/clients/find-client.ts';
import { exchangeCode } from '#lib/oauth/exchange-code.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';
import { refreshTokens } from '#lib/oauth/refresh-tokens.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath('POST', async (ctx, request) => {
  const form = await readForm(request);
  refuseClientSecret(request, form);
  const grantType = form.need('grant_type');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OAuthError(
      'unsupported_grant_type',
      'grant_type doit valoir authorization_code ou refresh_token.',
    );
  const clientId = form.need('client_id');
  if (!(await findClient(ctx, clientId, null)))
    throw new OAuthError(
      'invalid_client',
      'Cette application est inconnue, ou oubliée\u00a0: enregistrez-la de nouveau.',
    );
  const common = { clientId, resources: form.all('resource'), issuer: serviceOrigin(request) };
  const body =
    grantType === 'authorization_code'
      ? await exchangeCode(ctx, {
          ...common,
          code: form.need('code'),
          verifier: form.need('code_verifier'),
          redirectUri: form.need('redirect_uri'),
        })
      : await refreshTokens(ctx, {
          ...common,
          refreshToken: form.need('refresh_token'),
          scope: form.get('scope'),
          secret: env().SERVICE_SESSION_SECRET,
        });
  return { status: 200, body };
});
