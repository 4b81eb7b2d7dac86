import type { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { pathValues } from '../requests/path-values.ts';
import { queryObject } from '../requests/query-object.ts';
import { readJson } from '../requests/read-body.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import type { RouteContext, RouteDeclaration, RouteInput } from './declaration.ts';

export type Address<D extends RouteDeclaration> = Pick<RouteInput<D>, 'path' | 'query'>;

/** Path and query of a request, as the route declares them. Errors: `not_found` for the path, the dialect's malformed request else. */
export async function readAddress<D extends RouteDeclaration>(
  declaration: D,
  request: Request,
  context: RouteContext | undefined,
  dialect: HouseDialect,
): Promise<Address<D>> {
  const { malformed } = DIALECTS[dialect];
  const query = declaration.query
    ? validate(declaration.query, queryObject(new URL(request.url), malformed), malformed)
    : undefined;
  const path = declaration.path ? parsePath(declaration.path, await pathValues(context?.params)) : undefined;
  return { path, query } as Address<D>;
}

/** A value of the path that is no identifier of ours names nothing. */
function parsePath(schema: z.ZodType, values: unknown): unknown {
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new ServiceError('not_found');
  return parsed.data;
}

/** Headers and body of a request, as the route declares them. Errors: the dialect's malformed request, `payload_too_large`, `unsupported_media_type`. */
export async function readPayload<D extends RouteDeclaration>(
  declaration: D,
  request: Request,
  dialect: HouseDialect,
): Promise<Pick<RouteInput<D>, 'headers' | 'body'>> {
  const { malformed } = DIALECTS[dialect];
  const headers = declaration.headers
    ? validate(declaration.headers, Object.fromEntries(request.headers), malformed)
    : undefined;
  const { body } = declaration;
  const parsed =
    body?.type === 'json'
      ? validate(body.schema, await readJson(request, body.maxBytes, malformed), malformed)
      : undefined;
  return { headers, body: parsed } as Pick<RouteInput<D>, 'headers' | 'body'>;
}
