import { oauthPath, subscriptionName, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { MAX_OAUTH_REQUEST_BYTES, readMetadata } from '#lib/http/requests/oauth-requests.ts';
import { clientInformation, registerClient } from '#lib/oauth/clients/register-client.ts';
import { clientMetadataSchema, registrationSchema } from '#lib/oauth/protocol/schemas.ts';

export const maxDuration = 30;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  POST: withOAuth(
    {
      id: 'registerClient',
      summary: 'Enregistrer une application',
      tag: 'OAuth',
      body: { type: 'bytes', schema: clientMetadataSchema, maxBytes: MAX_OAUTH_REQUEST_BYTES },
      answers: { 201: { description: 'L’application', schema: registrationSchema } },
    },
    async (ctx, request) => {
      const metadata = await readMetadata(request);
      const client = await registerClient(ctx, { metadata, network: subscriptionName(request.headers) });
      return { status: 201, body: clientInformation(client) };
    },
  ),
});
