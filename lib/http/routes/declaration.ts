import type { z } from 'zod';
import type { Permission, Scope } from '#lib/core/actor.ts';
import type { ErrorCode } from '#lib/core/errors.ts';
import type { Dialect } from '../responses/dialects.ts';

/** Who may call a route, and what it must show. Each kind has one wrapper in `lib/http/middleware`, which enforces it. */
export type Caller =
  /** A developer key or an OAuth access token that carries the scope. */
  | { kind: 'credential'; scope: Scope; isWrite: boolean }
  /** A signed-in member; `null` when any member may. With a scope, also a key or a token of theirs that carries it. */
  | { kind: 'member'; permission: Permission | null; scope?: Scope }
  /** The scheduler, with `CRON_SECRET`. */
  | { kind: 'scheduler' }
  /** An outside service, by the signature that it puts on its call. */
  | { kind: 'callback'; signature: string }
  /** One of two callers, told apart by the body. */
  | { kind: 'either'; callers: readonly Caller[] }
  /** An OAuth client: public, so it shows nothing but its identifier. */
  | { kind: 'oauth-client' }
  /** An assistant over MCP, with the same credentials as the API. */
  | { kind: 'assistant' }
  /** A person's browser, which is answered by pages and redirects. */
  | { kind: 'browser' }
  | { kind: 'anyone' };

/** A body, counted on the stream and refused past `maxBytes`. */
export type RequestBody =
  /** Parsed by the schema before the handler runs. */
  | { type: 'json'; schema: z.ZodType; maxBytes: number }
  /** Read by the wrapper or the handler: a form, files, bytes that a signature covers. The schema says what is in it. */
  | { type: 'form' | 'multipart' | 'bytes'; schema: z.ZodType; maxBytes: number; contentType?: string };

/** One status that a route answers when it does not refuse. */
export type AnswerDeclaration = {
  description: string;
  /** Of a JSON answer. Absent with `contentType`: a file. Absent without: no body. */
  schema?: z.ZodType;
  contentType?: string;
  /** Headers of this answer beside those of every answer: what each says, by its name. */
  headers?: Readonly<Record<string, string>>;
};

/** The declaration of a route, which both parses its requests and documents it. */
export type RouteDeclaration = {
  /** Unique; the `operationId` of the documents. */
  id: string;
  /** Title of the operation, in French. */
  summary: string;
  description?: string;
  /** Heading under which the documents file it. */
  tag: string;
  /** Values of the path. What does not parse is answered like what does not exist. */
  path?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers, in lower case. */
  headers?: z.ZodObject;
  body?: RequestBody;
  answers: Readonly<Record<number, AnswerDeclaration>>;
  /** Refusals of this route, beside those that its kind of caller can always get. */
  errors?: readonly ErrorCode[];
};

/** A declaration with what its wrapper adds. */
export type BoundDeclaration = RouteDeclaration & {
  caller: Caller;
  dialect: Dialect;
  /** Refusals that any route of this kind can answer. */
  commonErrors: readonly ErrorCode[];
};

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler receives: each part as its schema parsed it. */
export type RouteInput<D extends RouteDeclaration> = {
  path: Parsed<D['path']>;
  query: Parsed<D['query']>;
  headers: Parsed<D['headers']>;
  body: D['body'] extends { type: 'json'; schema: infer S } ? Parsed<S> : undefined;
  request: Request;
};

export type RouteContext = { params: Promise<Record<string, string | string[] | undefined>> };
/** As Next calls it; without `context`, a path without values. */
export type RouteHandler = (request: Request, context?: RouteContext) => Promise<Response>;
export type DeclaredHandler = RouteHandler & { declaration: BoundDeclaration };

/** Attaches its declaration to a handler. */
export function declared(declaration: BoundDeclaration, handler: RouteHandler): DeclaredHandler {
  return Object.assign((...call: Parameters<RouteHandler>) => handler(...call), { declaration });
}

/** The declaration of a route handler; undefined for a function that has none. */
export function declarationOf(handler: unknown): BoundDeclaration | undefined {
  return (handler as Partial<DeclaredHandler> | undefined)?.declaration;
}
