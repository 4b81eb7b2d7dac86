import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERROR_CATALOG, type ErrorCode } from '#lib/core/errors.ts';
import { catalogMessage } from '#lib/messages/fr.ts';
import { errorSchema } from '../responses/error-schema.ts';
import type { BoundDeclaration, Caller, RequestBody } from '../routes/declaration.ts';
import { declaredErrors } from '../routes/declared-errors.ts';
import { requirementsOf } from './security.ts';

const text = { type: 'string' as const };
const REQUEST_ID = { 'Request-Id': { schema: text, description: 'À citer dans toute question' } };
const RATE = {
  RateLimit: { schema: text, description: 'Où en est la limite de débit' },
  'RateLimit-Policy': { schema: text, description: 'Limites appliquées par minute' },
};

const RETRY = {
  'Retry-After': { schema: text, description: 'Secondes à attendre avant de réessayer' },
};
/** Refusals that may say when to ask again. */
const WAITING = new Set([429, 503]);
const CHALLENGE = {
  'WWW-Authenticate': {
    schema: text,
    description: 'Comment montrer une clé ou un jeton, et quel droit demander',
  },
};
/** Refusals of a credential, whose challenge says where to get another; omitted where that would not help. */
const CHALLENGED = new Set([401, 403]);

/** One operation of an OpenAPI document, derived from the route's declaration alone. */
export function operationOf(declaration: BoundDeclaration): ZodOpenApiOperationObject {
  const { id, summary, description, tag, caller, path, query, headers, body } = declaration;
  const right = rightOf(caller);
  return {
    operationId: id,
    summary,
    description: [description, right && `Droit demandé\u00a0: ${right}.`]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    tags: [tag],
    security: requirementsOf(caller),
    requestParams: {
      ...(path ? { path } : {}),
      ...(query && Object.keys(query.shape).length > 0 ? { query } : {}),
      ...(headers ? { header: titled(headers) } : {}),
    },
    ...(body ? { requestBody: { required: true, content: contentOf(body) } } : {}),
    responses: { ...answersOf(declaration), ...refusalsOf(declaration) },
  };
}

function rightOf(caller: Caller): string | undefined {
  if (caller.kind === 'credential') return `\`${caller.scope}\``;
  if (caller.kind === 'either') return caller.callers.map(rightOf).find((right) => right !== undefined);
  if (caller.kind !== 'member') return undefined;
  const rights = [
    caller.permission ? `\`${caller.permission}\`` : undefined,
    caller.scope ? `par clé ou jeton \`${caller.scope}\`` : undefined,
  ].filter((right) => right !== undefined);
  return rights.length > 0 ? rights.join(', ') : undefined;
}

/** Headers under the names that people write: `Idempotency-Key`. */
function titled(headers: z.ZodObject): z.ZodObject {
  const name = (lower: string) => lower.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return z.object(
    Object.fromEntries(Object.entries(headers.shape).map(([key, schema]) => [name(key), schema])),
  );
}

const BODY_TYPES = {
  json: 'application/json',
  bytes: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

const contentOf = (body: RequestBody) => {
  const own = 'contentType' in body ? body.contentType : undefined;
  return { [own ?? BODY_TYPES[body.type]]: { schema: body.schema } };
};

const headersOf = ({ caller }: BoundDeclaration) =>
  caller.kind === 'credential' ? { ...REQUEST_ID, ...RATE } : REQUEST_ID;

const ownHeaders = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { schema: text, description }]),
  );

function answersOf(declaration: BoundDeclaration): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, { description, schema, contentType, headers }] of Object.entries(declaration.answers)) {
    const file = (contentType?.split(', ') ?? []).map((type) => [
      type,
      { schema: { type: 'string' as const, format: 'binary' } },
    ]);
    responses[status as '200'] = {
      description,
      headers: { ...headersOf(declaration), ...ownHeaders(headers) },
      ...(schema ? { content: { 'application/json': { schema } } } : {}),
      ...(contentType ? { content: Object.fromEntries(file) } : {}),
    };
  }
  return responses;
}

function takesCredential(caller: Caller): boolean {
  if (caller.kind === 'either') return caller.callers.some(takesCredential);
  return caller.kind === 'credential' || (caller.kind === 'member' && caller.scope !== undefined);
}

/** Headers of a refusal: without an authenticated caller there is no rate to report. */
const headersOfRefusal = (declaration: BoundDeclaration, status: number) => ({
  ...(status === 401 ? REQUEST_ID : headersOf(declaration)),
  ...(WAITING.has(status) ? RETRY : {}),
  ...(CHALLENGED.has(status) && takesCredential(declaration.caller) ? CHALLENGE : {}),
});

function refusalsOf(declaration: BoundDeclaration): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(declaredErrors(declaration), (code) => ERROR_CATALOG[code].status);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[`${status}` as '400'] = {
      description: codes.map(sentence).join('\n\n'),
      headers: headersOfRefusal(declaration, status),
      content: { 'application/json': { schema: errorSchema } },
    };
  return responses;
}

const sentence = (code: ErrorCode) => `\`${code}\`\u00a0: ${catalogMessage(code)}`;
