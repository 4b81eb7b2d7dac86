import { OAUTH_SCOPES, REFRESH_SCOPE, type ResourcePath } from './config.ts';

/** Authorization server metadata (RFC 8414). `issuer` is the service's origin, without a final slash. */
export function authorizationServerMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/api/oauth/authorize`,
    token_endpoint: `${issuer}/api/oauth/token`,
    registration_endpoint: `${issuer}/api/oauth/register`,
    revocation_endpoint: `${issuer}/api/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: [...OAUTH_SCOPES, REFRESH_SCOPE],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['fr'],
    service_documentation: `${issuer}/docs/api`,
  };
}

/** Protected resource metadata (RFC 9728). */
export function protectedResourceMetadata(issuer: string, path: ResourcePath) {
  return {
    resource: issuer + path,
    authorization_servers: [issuer],
    scopes_supported: [...OAUTH_SCOPES],
    bearer_methods_supported: ['header'],
    resource_name: path === '/api/mcp' ? 'Atelier, serveur MCP' : 'Atelier, API de contexte',
    resource_documentation: `${issuer}${path === '/api/mcp' ? '/docs/mcp' : '/docs/api'}`,
  };
}
