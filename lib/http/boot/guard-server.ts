import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createId } from '#lib/core/ids.ts';
import {
  isMalformedPath,
  refuseMalformedPath,
  refuseMethod,
  refuseUnencodedPath,
} from '../security/malformed-address.ts';

const GUARDED = Symbol.for('atelier.guarded');

/** The methods that a route of Next can have. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Answers, in place of Next, what it would refuse with a bare 500 or 400 before any route of ours: an address that cannot be decoded, and a
 * method that no route can have; in place of Node, an address whose letters are not encoded. Adds a Request-Id to whatever leaves this process
 * without one (redirects, pages, files of the build). Only Node's server sees all of these; where a platform stands in front (Vercel), it
 * answers them itself.
 */
export function guardServer(): void {
  const { prototype } = Server as unknown as { prototype: Server & { [GUARDED]?: true } };
  if (prototype[GUARDED]) return;
  prototype[GUARDED] = true;
  const { emit } = prototype;
  prototype.emit = function guarded(this: Server, event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'request' && answeredEarly(args[0] as IncomingMessage, args[1] as ServerResponse))
      return true;
    if (event === 'clientError' && toldUnencoded(args[0] as ParseError, args[1] as Socket)) return true;
    return Reflect.apply(emit, this, [event, ...args]) as boolean;
  } as typeof emit;
}

function answeredEarly(request: IncomingMessage, response: ServerResponse): boolean {
  identify(response);
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const refusal = !METHODS.has(request.method ?? '')
    ? refuseMethod(path)
    : isMalformedPath(path)
      ? refuseMalformedPath(path)
      : undefined;
  if (!refusal) return false;
  request.resume();
  response.writeHead(refusal.status, refusal.headers).end(refusal.body);
  return true;
}

type ParseError = Error & { code?: string; rawPacket?: Uint8Array };

/** Answers a request line that Node's parser refused for letters that are not encoded; everything else is left to Node. */
function toldUnencoded({ code, rawPacket }: ParseError, socket: Socket): boolean {
  // An answer that has begun to leave, to the request before on this connection, must not be written into.
  const isAnswering = (socket as Socket & { _httpMessage?: unknown })._httpMessage;
  if (code !== 'HPE_INVALID_URL' || isAnswering || !socket.writable) return false;
  const sent = Buffer.from(rawPacket ?? []).toString('latin1');
  const [, method, path = '/'] = /^([A-Z]+) (\/[^\s?]*)/.exec(sent) ?? [];
  const { headers, body } = refuseUnencodedPath(path);
  const lines = Object.entries({
    ...headers,
    'Request-Id': createId('request'),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${method === 'HEAD' ? '' : body}`);
  socket.destroySoon();
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
