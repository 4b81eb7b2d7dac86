import { z } from 'zod';
import { clientMetadata } from './client-metadata.ts';

/** Bodies and answers of the OAuth endpoints. A form's schema lists the fields that are read; the protocol's own rules then check each. */

export const tokenForm = z.object({
  grant_type: z.string().meta({ description: 'authorization_code ou refresh_token' }),
  client_id: z.string(),
  code: z.string().optional(),
  code_verifier: z.string().optional(),
  redirect_uri: z.string().optional(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
  resource: z.string().optional(),
  client_secret: z.string().optional(),
  client_assertion: z.string().optional(),
});

export const revocationForm = z.object({
  client_id: z.string(),
  token: z.string(),
  client_secret: z.string().optional(),
  client_assertion: z.string().optional(),
});

export const consentForm = z.object({
  request: z.string().meta({ description: 'La demande telle qu’elle a été montrée' }),
  ticket: z.string().optional(),
  decision: z.string().optional(),
  monthlyCapUsd: z
    .string()
    .optional()
    .meta({ description: 'Plafond par mois, en dollars, d’une application qui demande des générations' }),
  shown: z.string().optional().meta({
    description:
      'Le plafond que la page montrait d’une application déjà connectée, en millionièmes de dollar',
  }),
  reach: z
    .string()
    .optional()
    .meta({ description: 'all\u00a0: tous les espaces du membre\u00a0; some\u00a0: ceux de spaces' }),
  spaces: z
    .string()
    .optional()
    .meta({ description: 'Les espaces ouverts, en JSON\u00a0: identifiant, puis read ou write' }),
});

export const clientMetadataSchema = clientMetadata.extend({ redirect_uris: z.array(z.string()) });

export const tokenSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  refresh_token: z.string(),
  scope: z.string(),
});

export const emptySchema = z.object({});

export const registrationSchema = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  client_uri: z.string().optional(),
  scope: z.string().optional(),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
});

export const authorizationServerSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string(),
  revocation_endpoint: z.string(),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  client_id_metadata_document_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  ui_locales_supported: z.array(z.string()),
  service_documentation: z.string(),
});

export const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
  resource_documentation: z.string(),
});
