import type { IncomingMessage } from 'node:http';
import type { CallbackQueue } from './callbacks.ts';
import { refusals } from './errors.ts';
import {
  type Credentials,
  type Delegation,
  type Grant,
  grantOfAddress,
  grantOfToken,
  issueDelegation,
} from './grants.ts';
import type { Access, BlobIndex, BlobRow } from './index.ts';
import { describe } from './serve.ts';
import {
  checkWrite,
  commitBlob,
  copyBlob,
  deleteBlobs,
  listBlobs,
  receive,
  type WriteSettings,
} from './store.ts';
import { completeUpload, createUpload, receivePart } from './uploads.ts';

/** One request to the store's API, with everything it may need. */
export type Call = {
  request: IncomingMessage;
  route: string;
  query: URLSearchParams;
  index: BlobIndex;
  credentials: Credentials;
  callbacks: CallbackQueue;
  /** Origin under which this server gives out the files. */
  origin: string;
  nowMs: number;
};

const DEFAULT_CACHE_SECONDS = 30 * 86_400;
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Answers a call of the SDK; the result is the JSON body. Throws BlobRefusal. */
export async function answer(call: Call): Promise<unknown> {
  const method = call.request.method ?? 'GET';
  switch (`${method} ${call.route}`) {
    case 'GET /':
      return call.query.has('url') ? headOf(call) : list(call);
    case 'PUT /':
      return call.query.has('fromUrl') ? copy(call, false) : put(call);
    case 'DELETE /':
    case 'POST /delete':
      return remove(call);
    case 'POST /rename':
      return copy(call, true);
    case 'POST /mpu':
      return multipart(call);
    case 'POST /signed-token': {
      ownerOnly(call);
      return issueDelegation(call.credentials, (await json(call.request)) as Partial<Delegation>, call.nowMs);
    }
    default:
      throw refusals.badRequest(`The embedded file store does not know ${method} ${call.route}`);
  }
}

function ownerOnly(call: Call): void {
  const grant = grantOfToken(call.request.headers, call.credentials, call.nowMs);
  if (grant.kind !== 'owner') throw refusals.clientTokenNotAllowed();
}

function grantFor(call: Call, operation: 'head' | 'put' | 'delete', pathname: string): Grant {
  const presigned = grantOfAddress(call.query, call.credentials, { operation, pathname }, call.nowMs);
  const grant = presigned ?? grantOfToken(call.request.headers, call.credentials, call.nowMs);
  if (grant.kind !== 'client') return grant;
  if (operation !== 'put') throw refusals.clientTokenNotAllowed();
  if (grant.pathname !== pathname) throw refusals.pathnameMismatch();
  return grant;
}

/** The pathname that a pathname, an address of this server or one of the real service names. */
function pathnameOf(urlOrPathname: string): string {
  if (!/^https?:\/\//.test(urlOrPathname)) return urlOrPathname;
  const url = new URL(urlOrPathname);
  const local = url.pathname.match(/^\/files\/[A-Za-z0-9]+\/(?:public|private)\/(.*)$/s)?.[1];
  try {
    return decodeURIComponent(local ?? url.pathname.slice(1));
  } catch {
    throw refusals.badRequest('Invalid url');
  }
}

/** What `put` and its relatives return. */
function written(call: Call, row: BlobRow) {
  const { contentDisposition } = describe(row);
  const path = row.pathname.split('/').map(encodeURIComponent).join('/');
  const url = `${call.origin}/files/${call.credentials.storeId}/${row.access}/${path}`;
  const { pathname, contentType, etag } = row;
  return { url, downloadUrl: `${url}?download=1`, pathname, contentType, contentDisposition, etag };
}

function described(call: Call, row: BlobRow) {
  const uploadedAt = new Date(row.uploadedAtMs).toISOString();
  return { ...written(call, row), size: row.size, uploadedAt, cacheControl: describe(row).cacheControl };
}

function headOf(call: Call) {
  const pathname = pathnameOf(call.query.get('url') ?? '');
  grantFor(call, 'head', pathname);
  const row = call.index.find(pathname);
  if (!row) throw refusals.notFound();
  return described(call, row);
}

function list(call: Call) {
  ownerOnly(call);
  const asked = Number(call.query.get('limit') ?? 1000);
  if (!Number.isInteger(asked) || asked < 1) throw refusals.badRequest('Invalid limit');
  const folded = call.query.get('mode') === 'folded';
  const page = listBlobs(call.index, {
    prefix: call.query.get('prefix') ?? '',
    limit: Math.min(asked, 1000),
    cursor: call.query.get('cursor') ?? undefined,
    folded,
  });
  const { blobs, folders, cursor, hasMore } = page;
  return { blobs: blobs.map((row) => described(call, row)), ...(folded ? { folders } : {}), cursor, hasMore };
}

/** What the request asks, as far as the grant lets it: a client token or presigned address decides all but the type. */
function settingsFor(call: Call, grant: Grant): WriteSettings {
  const header = (name: string) => {
    const value = call.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  // A store is made private or public once, and this one is as the service needs it: a write that does not say so is refused there too.
  const access = header('x-vercel-blob-access') ?? 'public';
  if (access === 'public') throw refusals.publicOnPrivate();
  if (access !== 'private') throw refusals.badRequest('Invalid access');
  const cache = header('x-cache-control-max-age');
  const asked: WriteSettings = {
    access: access satisfies Access,
    addRandomSuffix: header('x-add-random-suffix') === '1',
    allowOverwrite: header('x-allow-overwrite') === '1',
    contentType: header('x-content-type'),
    cacheSeconds:
      cache !== undefined && /^\d{1,9}$/.test(cache) ? Math.max(60, Number(cache)) : DEFAULT_CACHE_SECONDS,
    ifMatch: header('x-if-match'),
  };
  return grant.kind === 'owner'
    ? asked
    : { ...asked, cacheSeconds: DEFAULT_CACHE_SECONDS, ...grant.settings };
}

async function put(call: Call) {
  const pathname = call.query.get('pathname') ?? '';
  const grant = grantFor(call, 'put', pathname);
  const settings = settingsFor(call, grant);
  checkWrite(call.index, pathname, settings);
  const received = await receive(call.index, call.request, settings.maximumSizeInBytes);
  return finish(call, grant, await commitBlob(call.index, pathname, received, settings, call.nowMs));
}

function finish(call: Call, grant: Grant, row: BlobRow) {
  const result = written(call, row);
  if (grant.kind !== 'owner' && grant.callback) call.callbacks.add(grant.callback, result, call.nowMs);
  return result;
}

async function copy(call: Call, move: boolean) {
  ownerOnly(call);
  const from = pathnameOf(call.query.get('fromUrl') ?? '');
  const settings = settingsFor(call, { kind: 'owner' });
  const to = call.query.get('pathname') ?? '';
  return written(call, await copyBlob(call.index, from, to, settings, { move, nowMs: call.nowMs }));
}

async function remove(call: Call) {
  const single = call.query.get('pathname');
  const body = single === null ? ((await json(call.request)) as { urls?: unknown }) : { urls: [single] };
  if (!Array.isArray(body.urls) || body.urls.some((url) => typeof url !== 'string'))
    throw refusals.badRequest('Invalid urls');
  const pathnames = (body.urls as string[]).map(pathnameOf);
  let ifMatch = call.request.headers['x-if-match'];
  for (const pathname of pathnames) {
    const grant = grantFor(call, 'delete', pathname);
    if (grant.kind === 'presigned') ifMatch = grant.settings.ifMatch ?? ifMatch;
  }
  if (pathnames.length === 0) ownerOnly(call);
  await deleteBlobs(call.index, pathnames, typeof ifMatch === 'string' ? ifMatch : undefined);
  return null;
}

async function multipart(call: Call) {
  const pathname = call.query.get('pathname') ?? '';
  const grant = grantFor(call, 'put', pathname);
  const header = (name: string) => String(call.request.headers[name] ?? '');
  const id = header('x-mpu-upload-id');
  switch (header('x-mpu-action')) {
    case 'create': {
      const settings = settingsFor(call, grant);
      checkWrite(call.index, pathname, settings);
      return createUpload(call.index, pathname, settings, call.nowMs);
    }
    case 'upload':
      return receivePart(call.index, id, pathname, Number(header('x-mpu-part-number')), call.request);
    case 'complete': {
      const parts = await json(call.request);
      const valid =
        Array.isArray(parts) &&
        parts.every((part) => Number.isInteger(part?.partNumber) && typeof part?.etag === 'string');
      if (!valid) throw refusals.badRequest('Invalid parts');
      return finish(call, grant, await completeUpload(call.index, id, pathname, parts, call.nowMs));
    }
    default:
      throw refusals.badRequest('Unknown x-mpu-action');
  }
}

async function json(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= MAX_JSON_BYTES) chunks.push(chunk as Buffer);
  }
  if (size > MAX_JSON_BYTES) throw refusals.badRequest('Body too large');
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw refusals.badRequest('Invalid JSON');
  }
}
