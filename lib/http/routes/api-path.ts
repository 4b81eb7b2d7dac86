import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { baseHeaders, errorResponse } from '../responses/respond.ts';
import type { DeclaredHandler, RouteHandler } from './declaration.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** How a path answers a method that it does not serve; the error holds `Allow`. */
type MethodRefusal = (error: ServiceError, request: Request, requestId: string) => Response;

/** A refusal as one JSON object. */
export const inHouseShape: MethodRefusal = (error, _request, requestId) =>
  errorResponse(error, baseHeaders(requestId));

/** The header `Allow` of a path that serves these methods: GET is HEAD too, and each path answers OPTIONS. */
export function allowHeader(served: readonly Method[]): string {
  const implied = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...implied, 'OPTIONS'].join(', ');
}

/**
 * The handlers of one path, for `export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({ GET: … })`. A method that is
 * not given answers 405, in the house shape unless `refusal` words it; that and OPTIONS say which are.
 */
export function apiPath(
  handlers: Partial<Record<Method, DeclaredHandler>>,
  refusal: MethodRefusal = inHouseShape,
): Record<Method | 'OPTIONS', RouteHandler> {
  const served = METHODS.filter((method) => handlers[method]);
  const refuse: RouteHandler = async (request) => {
    const error = new ServiceError('method_not_allowed', { headers: { Allow: allowHeader(served) } });
    return refusal(error, request, createId('request'));
  };
  const options: RouteHandler = async () => {
    const headers = baseHeaders(createId('request'));
    headers.delete('Content-Type');
    headers.set('Allow', allowHeader(served));
    return new Response(null, { status: 204, headers });
  };
  const all = METHODS.map((method) => [method, handlers[method] ?? refuse] as const);
  return { ...(Object.fromEntries(all) as Record<Method, RouteHandler>), OPTIONS: options };
}
