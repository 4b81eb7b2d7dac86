import type { z } from 'zod';
import type { CredentialActor, Scope } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { AccountRead } from '#lib/db/account-read.ts';
import { enforceRate } from '#lib/identity/rate-limit.ts';
import { pathValues } from '../requests/path-values.ts';
import { readJson } from '../requests/read-body.ts';
import { queryObject, validate } from '../requests/validate.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '../responses/respond.ts';
import { connection } from '../runtime/connection.ts';
import { createContext } from '../runtime/context.ts';
import { serviceOrigin } from '../security/origin.ts';
import { API_RESOURCE, authenticateCredential, missingScope } from './credentials.ts';

export type Answer = {
  status?: number;
  /** An object, or JSON already written. */
  body: unknown;
  headers?: Record<string, string>;
};

/** Tells the caller that what it has is still true: 304, nothing consumed. */
export type NotModified = { notModified: true; headers?: Record<string, string> };

type Path = Record<string, string>;

export type CredentialRoute<Q extends z.ZodType, H extends z.ZodType, B extends z.ZodType, R> = {
  scope: Scope;
  isWrite?: boolean;
  query: Q;
  headers?: H;
  body?: { schema: B; maxBytes: number };
  /** The read that the request is for, made in the statement that authenticates its caller: one round trip in all. */
  read?(now: Date, input: { path: Path; query: z.output<Q>; request: Request }): AccountRead<R>;
  handle(
    ctx: Context<CredentialActor>,
    input: {
      path: Path;
      query: z.output<Q>;
      headers: z.output<H>;
      body: z.output<B>;
      request: Request;
      /** What `read` read. */
      read: R;
    },
  ): Promise<Answer | NotModified> | Answer | NotModified;
};

type RouteContext = { params: Promise<Record<string, string>> };

/**
 * The edge of every `/api/v1` route: authenticates, counts the rate, checks the scope, validates, calls the verb and
 * writes the answer. Refusals come in that order, each in the house shape (B-107).
 */
export function withCredential<Q extends z.ZodType, H extends z.ZodType, B extends z.ZodType, R = undefined>(
  route: CredentialRoute<Q, H, B, R>,
) {
  return async (request: Request, routeContext: RouteContext): Promise<Response> => {
    const requestId = createId('request');
    const headers = baseHeaders(requestId);
    const anonymous = createContext({ type: 'anonymous' }, requestId);
    const isWrite = route.isWrite ?? false;
    try {
      const origin = serviceOrigin(request);
      // What is read with the authentication has to be known before it; a fault in it is told after it, like any other.
      const early = route.read ? await settled(addressOf(route.query, request, routeContext)) : undefined;
      const read =
        route.read && early?.ok
          ? { scope: route.scope, read: route.read(anonymous.clock.now(), { ...early.value, request }) }
          : undefined;
      const {
        actor,
        rate,
        answer: readAnswer,
      } = await authenticateCredential<R>({ ...connection(), clock: anonymous.clock }, request, {
        isWrite,
        resource: API_RESOURCE,
        origin,
        read,
      });
      enforceRate(rate, isWrite, headers);
      if (!actor.scopes.includes(route.scope)) throw missingScope(actor, route.scope, origin, API_RESOURCE);
      const ctx = { ...anonymous, actor };
      if (early && !early.ok) throw early.error;
      const { path, query } = early?.value ?? (await addressOf(route.query, request, routeContext));
      const headerInput = route.headers
        ? validate(route.headers, Object.fromEntries(request.headers))
        : undefined;
      const body = route.body
        ? validate(route.body.schema, await readJson(request, route.body.maxBytes))
        : undefined;
      const answer = await route.handle(ctx, {
        path,
        query,
        headers: headerInput as z.output<H>,
        body: body as z.output<B>,
        request,
        read: (read ? readAnswer() : undefined) as R,
      });
      for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
      if ('notModified' in answer) {
        headers.delete('Content-Type');
        return new Response(null, { status: 304, headers });
      }
      return jsonResponse(answer.status ?? 200, answer.body, headers);
    } catch (thrown) {
      return errorResponse(toServiceError(thrown, anonymous.log, requestId), headers);
    }
  };
}

async function addressOf<Q extends z.ZodType>(query: Q, request: Request, routeContext: RouteContext) {
  return {
    query: validate(query, queryObject(new URL(request.url))),
    path: await pathValues(routeContext.params),
  };
}

type Settled<T> = { ok: true; value: T } | { ok: false; value?: undefined; error: unknown };

function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ ok: true as const, value }),
    (error: unknown) => ({ ok: false as const, error }),
  );
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
type Handler = (request: Request, context: RouteContext) => Promise<Response>;

/** The handlers of one path; every method that is not given answers 405 in the house shape. */
export function apiPath(handlers: Partial<Record<Method, Handler>>): Record<Method, Handler> {
  const allow = METHODS.filter((method) => handlers[method]).join(', ');
  const refuse: Handler = async () =>
    errorResponse(
      new ServiceError('method_not_allowed', { headers: { Allow: allow } }),
      baseHeaders(createId('request')),
    );
  return Object.fromEntries(METHODS.map((method) => [method, handlers[method] ?? refuse])) as Record<
    Method,
    Handler
  >;
}
