import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { readJson, writeFileAtomic } from '../files.ts';
import { withLock } from '../lock.ts';
import { answer, type Call } from './api.ts';
import { CallbackQueue } from './callbacks.ts';
import { BlobRefusal, refusals } from './errors.ts';
import { type Credentials, grantOfAddress, grantOfToken } from './grants.ts';
import { BlobIndex } from './index.ts';
import { serveBlob } from './serve.ts';

export type BlobServer = {
  /** Value of `VERCEL_BLOB_API_URL`. */
  apiUrl: string;
  /** Value of `BLOB_READ_WRITE_TOKEN`; the same for the life of the data folder. */
  token: string;
  storeId: string;
  /** Every variable that makes the real SDK use this store. */
  env: Record<'VERCEL_BLOB_API_URL' | 'BLOB_READ_WRITE_TOKEN' | 'BLOB_WEBHOOK_PUBLIC_KEY', string>;
  close(): Promise<void>;
};

const API = '/api/blob';
/** How often a store that stays open drops the uploads that were given up: each day's go soon after their day. */
const TIDY_MS = 3_600_000;
/** How long a connection stays open between two calls. */
const KEEP_ALIVE_MS = 600_000;

/**
 * The embedded file store of a data folder behind an HTTP server on loopback that speaks Vercel Blob's API. Several
 * processes may serve one folder at once. `port` is a wish: another one is taken when it is not free.
 */
export async function openBlobServer(options: {
  dataDir: string;
  port?: number;
  tidyMs?: number;
}): Promise<BlobServer> {
  const folder = path.join(options.dataDir, 'files');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { credentials, index } = await withLock(path.join(folder, 'lock'), async () => {
    const index = new BlobIndex(folder);
    await index.clean(Date.now());
    return { index, credentials: await credentialsOf(folder) };
  });
  const callbacks = new CallbackQueue(index, credentials);
  let origin = '';
  const server = createServer((request, response) => {
    void handle(request, response, { index, credentials, callbacks, origin });
  });
  // A large upload over a slow link is no attack on loopback.
  server.requestTimeout = 0;
  // Node's five seconds may run out in a process that was held, just as a caller sends on that connection: a body that streams is not sent twice.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const port = await listen(server, options.port ?? 0);
  origin = `http://127.0.0.1:${port}`;
  callbacks.wake(0);
  let tidying: Promise<void> = Promise.resolve();
  const tidy = setInterval(() => {
    // What it could not drop now is dropped an hour later.
    tidying = tidying.then(() => index.dropGivenUp(Date.now())).catch(() => undefined);
  }, options.tidyMs ?? TIDY_MS);
  tidy.unref();
  const apiUrl = `${origin}${API}`;
  return {
    apiUrl,
    token: credentials.token,
    storeId: credentials.storeId,
    env: {
      VERCEL_BLOB_API_URL: apiUrl,
      BLOB_READ_WRITE_TOKEN: credentials.token,
      BLOB_WEBHOOK_PUBLIC_KEY: credentials.webhookPublicKey,
    },
    async close() {
      clearInterval(tidy);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, callbacks.close(), tidying]);
      index.close();
    },
  };
}

async function listen(server: ReturnType<typeof createServer>, wished: number): Promise<number> {
  for (const port of [wished, 0]) {
    const taken = await new Promise<number | undefined>((resolve) => {
      server.once('error', () => resolve(undefined));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : undefined);
      });
    });
    server.removeAllListeners('error');
    if (taken !== undefined) return taken;
  }
  throw new Error('The embedded file store found no port to listen on');
}

async function credentialsOf(folder: string): Promise<Credentials> {
  const file = path.join(folder, 'credentials.json');
  const known = await readJson<Credentials>(file);
  if (known) return known;
  const storeId = `local${randomBytes(6).toString('hex')}`;
  const keys = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const credentials: Credentials = {
    storeId,
    token: `vercel_blob_rw_${storeId}_${randomBytes(24).toString('hex')}`,
    webhookPrivateKey: keys.privateKey,
    webhookPublicKey: keys.publicKey,
  };
  await writeFileAtomic(file, `${JSON.stringify(credentials)}\n`);
  return credentials;
}

type Parts = Pick<Call, 'index' | 'credentials' | 'callbacks' | 'origin'>;

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  // A browser uploads straight to the store, from another origin; a token in the request is what lets it.
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-expose-headers', 'etag, content-range, content-length');
  try {
    if (request.method === 'OPTIONS') {
      const asked = request.headers['access-control-request-headers'] ?? '*';
      const methods = 'GET, HEAD, PUT, POST, DELETE';
      response.writeHead(204, {
        'access-control-allow-methods': methods,
        'access-control-allow-headers': asked,
        'access-control-max-age': '600',
      });
      response.end();
      return;
    }
    const [rawPath = '/', rawQuery = ''] = (request.url ?? '/').split(/\?(.*)/s);
    const query = new URLSearchParams(rawQuery);
    if (rawPath.startsWith('/files/')) return await giveFile(request, response, parts, rawPath, query);
    if (rawPath !== API && !rawPath.startsWith(`${API}/`))
      throw new BlobRefusal(404, 'not_found', 'Not found');
    const route = rawPath.slice(API.length) || '/';
    const body = await answer({ ...parts, request, route, query, nowMs: Date.now() });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    refuse(request, response, error);
  }
}

/** `/files/<store>/private/<pathname>`: to the token or a presigned address. */
async function giveFile(
  request: IncomingMessage,
  response: ServerResponse,
  parts: Parts,
  rawPath: string,
  query: URLSearchParams,
) {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw refusals.badRequest('Only GET and HEAD');
  const [, , store, access, ...rest] = rawPath.split('/');
  const pathname = decodePath(rest.join('/'));
  if (access !== 'private') throw refusals.notFound();
  const operation = request.method === 'HEAD' ? 'head' : 'get';
  const presigned = grantOfAddress(query, parts.credentials, { operation, pathname }, Date.now());
  const grant = presigned ?? grantOfToken(request.headers, parts.credentials, Date.now());
  if (grant.kind === 'client') throw refusals.forbidden();
  const row = store === parts.credentials.storeId ? parts.index.find(pathname) : undefined;
  if (!row) throw refusals.notFound();
  await serveBlob(parts.index, row, request, response, query);
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refusals.notFound();
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // Not « internal »: the SDK would repeat the call ten times before it told anyone.
  const refusal =
    error instanceof BlobRefusal ? error : refusals.badRequest(`The embedded file store failed: ${error}`);
  const body = JSON.stringify({ error: { code: refusal.code, message: refusal.message } });
  const send = () => response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(body);
  // What is left of an upload is read first: an answer in the middle of it reaches the sender as a broken connection.
  if (request.complete || request.readableEnded) send();
  else
    request
      .on('end', send)
      .on('error', () => response.destroy())
      .resume();
}
