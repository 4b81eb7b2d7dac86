import { oauthPath, withOAuth } from '#lib/http/middleware/with-oauth.ts';
import { OAuthError } from '#lib/oauth/protocol/errors.ts';

// Clients try several addresses in turn (an issuer with a path, OpenID): in a browser, the next is only tried
// when this one's 404 may be read from their origin.
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = oauthPath({
  GET: withOAuth(
    { id: 'noSuchMetadata', summary: 'Un document qui n’existe pas', tag: 'OAuth', answers: {} },
    async () => {
      throw new OAuthError('invalid_request', 'Aucun document à cette adresse.', { status: 404 });
    },
  ),
});
