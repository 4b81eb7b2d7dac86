import { ServerResponse } from 'node:http';

/** The header in which a handler declares the length of its body: Next removes `Content-Length` from every Response that it sends. */
export const DECLARED_LENGTH = 'X-Declared-Length';

let isInstalled = false;

/**
 * Sends `Content-Length` for the responses that declare one: without it a download shows no progress, and HEAD says no size. An answer
 * that something compressed on its way says none. Once per process.
 */
export function sendDeclaredLengths(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { writeHead, flushHeaders } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    const declared = this.getHeader(DECLARED_LENGTH);
    if (declared !== undefined) {
      this.removeHeader(DECLARED_LENGTH);
      if (!this.hasHeader('Content-Encoding')) this.setHeader('Content-Length', declared);
    }
    return Reflect.apply(writeHead, this, args);
  };
  // Next flushes right before it writes: headers and body of a declared length leave together, in one packet instead of two.
  ServerResponse.prototype.flushHeaders = function (this: ServerResponse) {
    if (this.headersSent || !this.hasHeader(DECLARED_LENGTH)) Reflect.apply(flushHeaders, this, []);
  };
}
