import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import * as schemas from '#lib/brain/schemas.ts';
import type { Scope } from '#lib/core/actor.ts';
import { ERROR_CATALOG, type ErrorCode } from '#lib/core/errors.ts';
import { catalogMessage } from '#lib/messages/fr.ts';

const errorSchema = z
  .object({
    error: z.object({
      code: z.string().meta({ example: 'not_found' }),
      message: z.string().meta({ description: 'Phrase en français, destinée à être lue' }),
      problems: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
      detail: z.string().optional(),
    }),
  })
  .meta({ id: 'Error', description: 'Toute erreur a cette forme.' });

/** What any call can answer, whatever the route. */
const COMMON_ERRORS: ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
];

const HEADERS = {
  'Request-Id': { schema: { type: 'string' as const }, description: 'À citer dans toute question' },
  RateLimit: { schema: { type: 'string' as const }, description: 'Où en est la limite de débit' },
  'RateLimit-Policy': { schema: { type: 'string' as const }, description: 'Limites appliquées par minute' },
};

function errorResponses(codes: ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(new Set([...COMMON_ERRORS, ...codes]), (code) => ERROR_CATALOG[code].status);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[`${status}` as '400'] = {
      description: group.map((code) => `\`${code}\`\u00a0: ${catalogMessage(code)}`).join('\n\n'),
      headers: HEADERS,
      content: { 'application/json': { schema: errorSchema } },
    };
  }
  return responses;
}

type Operation = {
  id: string;
  summary: string;
  description: string;
  scope: Scope;
  keyOnly?: boolean;
  path?: boolean;
  query?: z.ZodObject;
  body?: z.ZodType;
  answers: [status: '200' | '201', schema: z.ZodType, description: string][];
  conditional?: boolean;
  errors?: ErrorCode[];
};

function operation(route: Operation): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, schema, description] of route.answers)
    responses[status] = { description, headers: HEADERS, content: { 'application/json': { schema } } };
  if (route.conditional)
    responses['304'] = {
      description: 'Votre copie (`If-None-Match`) est à jour\u00a0; aucune lecture n’est décomptée.',
    };
  const security: Record<string, string[]>[] = [{ developerKey: [] }];
  if (!route.keyOnly) security.push({ oauth: [route.scope] });
  return {
    operationId: route.id,
    summary: route.summary,
    description: `${route.description}\n\nDroit demandé\u00a0: \`${route.scope}\`.`,
    security,
    requestParams: {
      ...(route.path
        ? { path: z.object({ id: z.string().meta({ description: 'Identifiant de l’espace' }) }) }
        : {}),
      ...(route.query ? { query: route.query } : {}),
      ...(route.conditional ? { header: z.object({ 'If-None-Match': z.string().optional() }) } : {}),
      ...(route.body
        ? { header: z.object({ 'Idempotency-Key': schemas.idempotencyHeaders.shape['idempotency-key'] }) }
        : {}),
    },
    ...(route.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }
      : {}),
    responses: { ...responses, ...errorResponses(route.errors ?? []) },
  };
}

const READ = 'Coûte une lecture du quota mensuel quand elle réussit.';

/** Every operation of the public API, from the same zod objects that parse its requests. */
export function openApiDocument(origin: string) {
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Atelier\u00a0: API de contexte',
      version: 'v1',
      description:
        'Lire les espaces d’un compte, y ajouter une mémoire, assembler un contexte prêt pour un prompt, chercher, suivre le quota.\n\n' +
        'Limites\u00a0: 120 requêtes par minute et par identifiants, dont 20 écritures. Les erreurs sont en français.',
    },
    servers: [{ url: `${origin}/api/v1` }],
    components: {
      securitySchemes: {
        developerKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'Clé de développeur\u00a0: `atl_` et 64 chiffres hexadécimaux.',
        },
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${origin}/api/oauth/authorize`,
              tokenUrl: `${origin}/api/oauth/token`,
              scopes: {
                'brain:read': 'Lire les espaces, le contexte, la recherche et le quota',
                'brain:write': 'Ajouter des mémoires',
              },
            },
          },
        },
      },
    },
    paths: {
      '/spaces': {
        get: operation({
          id: 'listSpaces',
          summary: 'Lister les espaces',
          description: `Du plus ancien au plus récent, avec la capacité active du compte. ${READ}`,
          scope: 'brain:read',
          answers: [['200', schemas.spaceListSchema, 'Les espaces du compte']],
          errors: ['quota_exceeded'],
        }),
      },
      '/spaces/{id}': {
        get: operation({
          id: 'getSpace',
          summary: 'Lire un espace en entier',
          description: `Les cinq piliers dans l’ordre des rôles, leurs mémoires, les CU et la qualité. ${READ}`,
          scope: 'brain:read',
          path: true,
          conditional: true,
          answers: [['200', schemas.spaceSchema, 'L’espace']],
          errors: ['not_found', 'quota_exceeded'],
        }),
      },
      '/spaces/{id}/memories': {
        post: operation({
          id: 'addMemory',
          summary: 'Ajouter une mémoire',
          description:
            'Une mémoire, sur un pilier, dans la limite de la capacité. La même clé d’idempotence avec le même contenu rend la même mémoire (200, `Idempotent-Replayed: true`), même supprimée depuis\u00a0; elle n’expire pas. Ne coûte aucune lecture.',
          scope: 'brain:write',
          path: true,
          body: schemas.addMemoryBody,
          answers: [
            ['201', schemas.memorySchema, 'La mémoire créée'],
            ['200', schemas.memorySchema, 'La mémoire déjà créée sous cette clé'],
          ],
          errors: [
            'pillar_invalid',
            'capacity_full',
            'not_found',
            'idempotency_conflict',
            'payload_too_large',
            'unsupported_media_type',
          ],
        }),
      },
      '/spaces/{id}/context': {
        get: operation({
          id: 'getContext',
          summary: 'Assembler le contexte d’un espace',
          description: `Un seul texte, jamais plus long que \`maxChars\`, identique à l’octet près tant que l’espace ne change pas. ${READ}`,
          scope: 'brain:read',
          path: true,
          query: schemas.contextQuery,
          conditional: true,
          answers: [['200', schemas.contextSchema, 'Le contexte']],
          errors: ['pillar_invalid', 'not_found', 'quota_exceeded'],
        }),
      },
      '/search': {
        get: operation({
          id: 'search',
          summary: 'Chercher dans les mémoires',
          description: `Sans distinction de casse ni d’accents, dans les titres et les textes\u00a0; les meilleurs résultats d’abord. ${READ}`,
          scope: 'brain:read',
          query: schemas.searchQuery,
          answers: [['200', schemas.searchSchema, 'Les résultats']],
          errors: ['pillar_invalid', 'not_found', 'quota_exceeded'],
        }),
      },
      '/quota': {
        get: operation({
          id: 'getQuota',
          summary: 'Lire le quota de lectures du mois',
          description: 'Mois civil UTC. Ne coûte aucune lecture.',
          scope: 'brain:read',
          answers: [['200', schemas.quotaSchema, 'Le quota']],
        }),
      },
      '/projects': {
        get: operation({
          id: 'listProjects',
          summary: 'Lister les projets',
          description:
            'Les projets enregistrés du compte, du plus ancien au plus récent. Avec une clé de développeur seulement. Ne coûte aucune lecture.',
          scope: 'projects:read',
          keyOnly: true,
          answers: [['200', schemas.projectListSchema, 'Les projets']],
        }),
      },
    },
  });
}
