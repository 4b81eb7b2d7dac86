import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createId } from '#lib/core/ids.ts';
import { isMalformedPath, refuseMalformedPath, refuseMethod } from '../security/malformed-address.ts';

const GUARDED = Symbol.for('atelier.guarded');

/**
 * Answers, in place of Next, what it would refuse with a bare 500 before any route of ours: an address that cannot be decoded, and TRACE. Adds
 * a Request-Id to whatever leaves this process without one (redirects, pages, files of the build). Only Node's server sees all of these; where
 * a platform stands in front (Vercel), it answers them itself.
 */
export function guardServer(): void {
  const { prototype } = Server as unknown as { prototype: Server & { [GUARDED]?: true } };
  if (prototype[GUARDED]) return;
  prototype[GUARDED] = true;
  const { emit } = prototype;
  prototype.emit = function guarded(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'request' && answeredEarly(args[0] as IncomingMessage, args[1] as ServerResponse))
      return true;
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as typeof emit;
}

function answeredEarly(request: IncomingMessage, response: ServerResponse): boolean {
  identify(response);
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const refusal =
    request.method === 'TRACE'
      ? refuseMethod(path)
      : isMalformedPath(path)
        ? refuseMalformedPath(path)
        : undefined;
  if (!refusal) return false;
  request.resume();
  response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  return true;
}

/** Adds a Request-Id to an answer that has none; a route's own, which its log lines carry, is kept. */
function identify(response: ServerResponse): void {
  const { writeHead } = response;
  response.writeHead = function named(this: ServerResponse, ...args: unknown[]) {
    const given = args.find((one) => typeof one === 'object' && one !== null);
    const isNamed = this.hasHeader('Request-Id') || (given && /request-id/i.test(Object.keys(given).join()));
    if (!isNamed && !this.headersSent) this.setHeader('Request-Id', createId('request'));
    return Reflect.apply(writeHead, this, args);
  } as typeof writeHead;
}
