import { oauthPath, readForm, refuseClientSecret } from '#lib/http/middleware/with-oauth.ts';
import { findClient } from '#lib/oauth/clients/find-client.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';
import { revokeToken } from '#lib/oauth/revoke-token.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath('POST', async (ctx, request) => {
  const form = await readForm(request);
  refuseClientSecret(request, form);
  const clientId = form.need('client_id');
  const token = form.need('token');
  if (!(await findClient(ctx, clientId, null)))
    throw new OAuthError('invalid_client', 'Cette application est inconnue, ou oubliée.');
  await revokeToken(ctx, { clientId, token });
  return { status: 200, body: {} };
});
