import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenHere } from '../http/listen-here.ts';

export type S3TestServer = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether everything can be read without a signature; false at first. */
  public: boolean;
  /** Whether conditional deletions work; false refuses them (501), as some stores do. */
  conditionalDeletions: boolean;
  /** Whether the list has quotes around ETags, as the other answers do; some stores omit them. */
  quotedLists: boolean;
  /** The time of upload that answers give: the true one, none, or the zero of the clock. */
  dates: 'told' | 'none' | 'zero';
  close(): Promise<void>;
};

type Stored = { bytes: Buffer; contentType: string; etag: string; modifiedAt: Date };
type Call = {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message = code) {
    super(message);
    [this.status, this.code] = [status, code];
  }
}

const SKEW_MS = 15 * 60_000;
const MAX_AGE_SECONDS = 604_800;

/**
 * A private bucket in memory with the part of S3 that our store uses. It refuses what S3 refuses: a signature (version 4, in headers or in the
 * address) that is missing, wrong, expired or of another body, a condition that is not met, a range beyond the end, a bulk deletion without a digest,
 * an upload without a length.
 */
export async function openS3Server(): Promise<S3TestServer> {
  const files = new Map<string, Stored>();
  const settings = {
    region: 'fr-par',
    bucket: 'atelier-tests',
    accessKeyId: 'TESTKEY00000000000AB',
    secretAccessKey: 'test/secret+of0the0stand0in0000000000000',
    public: false,
    conditionalDeletions: true,
    quotedLists: true,
    dates: 'told' as S3TestServer['dates'],
  };
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 'InternalError', String(error));
      const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${refusal.code}</Code><Message>${xml(refusal.message)}</Message></Error>`;
      response.writeHead(refusal.status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') {
      const asked = request.headers['access-control-request-headers'] ?? '*';
      const methods = 'GET, HEAD, PUT';
      response
        .writeHead(200, { 'access-control-allow-methods': methods, 'access-control-allow-headers': asked })
        .end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [rawPath = '/', rawQuery = ''] = (request.url ?? '/').split(/\?(.*)/s);
    const [bucket = '', ...rest] = rawPath.slice(1).split('/');
    if (bucket !== settings.bucket) throw new Refusal(404, 'NoSuchBucket');
    const call: Call = {
      method: request.method ?? 'GET',
      key: decodeURIComponent(rest.join('/')),
      query: new URLSearchParams(rawQuery),
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    const isSigned = Boolean(call.headers.authorization) || call.query.has('X-Amz-Signature');
    if (isSigned) verify(call, rawPath, settings);
    else if (!(settings.public && call.method === 'GET')) throw new Refusal(403, 'AccessDenied');
    answer(files, call, settings, response);
  }

  await listenHere(server);
  const { port } = server.address() as { port: number };
  return Object.assign(settings, {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function answer(
  files: Map<string, Stored>,
  call: Call,
  settings: Pick<S3TestServer, 'conditionalDeletions' | 'quotedLists' | 'dates'>,
  response: ServerResponse,
): void {
  const { method, key, query, headers, body } = call;
  const file = files.get(key);
  if (key === '' && method === 'GET') list(files, query, settings, response);
  else if (key === '' && method === 'POST' && query.has('delete')) deleteSeveral(files, call, response);
  else if (method === 'PUT') {
    if (headers['content-length'] === undefined) throw new Refusal(411, 'MissingContentLength');
    if (headers['if-none-match'] === '*' && file) throw new Refusal(412, 'PreconditionFailed');
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const contentType = headers['content-type'] ?? 'binary/octet-stream';
    files.set(key, { bytes: body, contentType, etag, modifiedAt: new Date() });
    response.writeHead(200, { etag }).end();
  } else if (method === 'DELETE') {
    const wanted = headers['if-match'];
    if (wanted && !settings.conditionalDeletions) throw new Refusal(501, 'NotImplemented');
    if (wanted && file && wanted !== file.etag) throw new Refusal(412, 'PreconditionFailed');
    files.delete(key);
    response.writeHead(204).end();
  } else if (method === 'GET' || method === 'HEAD') {
    if (!file) throw new Refusal(404, method === 'HEAD' ? 'NotFound' : 'NoSuchKey');
    const date = toldDate(file, settings.dates);
    if (date) response.setHeader('last-modified', date.toUTCString());
    give(file, headers.range, method === 'HEAD', response);
  } else throw new Refusal(405, 'MethodNotAllowed');
}

function toldDate({ modifiedAt }: Stored, dates: S3TestServer['dates']): Date | null {
  if (dates === 'none') return null;
  return dates === 'zero' ? new Date(0) : modifiedAt;
}

function give(file: Stored, asked: string | undefined, headOnly: boolean, response: ServerResponse): void {
  const total = file.bytes.byteLength;
  const range = /^bytes=(\d+)-(\d*)$/.exec(asked ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = Math.min(total - 1, range?.[2] ? Number(range[2]) : total - 1);
  if (range && start >= total) throw new Refusal(416, 'InvalidRange');
  const part = file.bytes.subarray(start, end + 1);
  response.writeHead(range ? 206 : 200, {
    etag: file.etag,
    'content-type': file.contentType,
    'content-length': part.byteLength,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${total}` } : {}),
  });
  response.end(headOnly ? undefined : part);
}

function list(
  files: Map<string, Stored>,
  query: URLSearchParams,
  { dates, quotedLists }: Pick<S3TestServer, 'quotedLists' | 'dates'>,
  response: ServerResponse,
): void {
  if (query.get('list-type') !== '2') throw new Refusal(501, 'NotImplemented');
  const [prefix, most] = [query.get('prefix') ?? '', Number(query.get('max-keys') ?? 1000)];
  const token = query.get('continuation-token');
  const after = token === null ? '' : Buffer.from(token, 'base64url').toString();
  const found = [...files.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = found.slice(0, Math.min(most, 1000));
  const isCut = found.length > page.length;
  const next = Buffer.from(page.at(-1) ?? '').toString('base64url');
  const contents = page.map((key) => {
    const file = files.get(key) as Stored;
    const { bytes } = file;
    const etag = quotedLists ? file.etag : file.etag.replaceAll('"', '');
    const date = toldDate(file, dates);
    const told = date ? `<LastModified>${date.toISOString()}</LastModified>` : '';
    return `<Contents><Key>${xml(key)}</Key>${told}<ETag>${xml(etag)}</ETag><Size>${bytes.byteLength}</Size></Contents>`;
  });
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isCut}</IsTruncated>${isCut ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
  );
}

function deleteSeveral(files: Map<string, Stored>, { headers, body }: Call, response: ServerResponse): void {
  const digest = createHash('md5').update(body).digest('base64');
  if (headers['content-md5'] === undefined) throw new Refusal(400, 'MissingContentMD5');
  if (headers['content-md5'] !== digest) throw new Refusal(400, 'BadDigest');
  const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => fromXml(key));
  if (keys.length === 0 || keys.length > 1000) throw new Refusal(400, 'MalformedXML');
  for (const key of keys) files.delete(key);
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end('<?xml version="1.0"?><DeleteResult></DeleteResult>');
}

/** Checks signature version 4, as Amazon's documentation describes it, in the headers or in the address of a request. Throws the refusal of S3. */
function verify(
  call: Call,
  rawPath: string,
  known: Pick<S3TestServer, 'region' | 'accessKeyId' | 'secretAccessKey'>,
): void {
  const { query, headers } = call;
  const isAddress = query.has('X-Amz-Signature');
  const named = isAddress
    ? {
        credential: query.get('X-Amz-Credential') ?? '',
        signed: query.get('X-Amz-SignedHeaders') ?? '',
        signature: query.get('X-Amz-Signature') ?? '',
      }
    : {
        credential: /Credential=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
        signed: /SignedHeaders=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
        signature: /Signature=([0-9a-f]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
      };
  const [keyId, day = '', region, service, end] = named.credential.split('/');
  if (keyId !== known.accessKeyId) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== known.region || service !== 's3' || end !== 'aws4_request')
    throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const stamp = (isAddress ? query.get('X-Amz-Date') : headers['x-amz-date']) as string;
  const atMs = Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const lifeSeconds = Number(query.get('X-Amz-Expires') ?? 0);
  if (isAddress && !(lifeSeconds >= 1 && lifeSeconds <= MAX_AGE_SECONDS))
    throw new Refusal(400, 'AuthorizationQueryParametersError');
  if (isAddress && Date.now() > atMs + lifeSeconds * 1000)
    throw new Refusal(403, 'AccessDenied', 'Request has expired');
  if (!isAddress && Math.abs(Date.now() - atMs) > SKEW_MS) throw new Refusal(403, 'RequestTimeTooSkewed');
  const signedNames = named.signed.split(';');
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !signedNames.includes(name),
  );
  if (!signedNames.includes('host') || unsigned.length > 0)
    throw new Refusal(403, 'AccessDenied', `unsigned: ${unsigned}`);

  const claimed = isAddress ? 'UNSIGNED-PAYLOAD' : (headers['x-amz-content-sha256'] as string | undefined);
  const canonicalQuery = [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${rfc3986(name)}=${rfc3986(value)}`)
    .sort()
    .join('&');
  const canonical = [
    call.method,
    rawPath
      .split('/')
      .map((part) => rfc3986(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery,
    ...signedNames.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    named.signed,
    claimed,
  ].join('\n');
  const scope = [day, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, end].reduce<Buffer | string>(
    (from, part) =>
      createHmac('sha256', from)
        .update(part as string)
        .digest(),
    `AWS4${known.secretAccessKey}`,
  );
  const wanted = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(named.signature, 'hex');
  if (given.byteLength !== wanted.byteLength || !timingSafeEqual(given, wanted))
    throw new Refusal(403, 'SignatureDoesNotMatch');
  if (!isAddress && claimed !== 'UNSIGNED-PAYLOAD' && claimed !== sha256(call.body))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch');
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function rfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function xml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function fromXml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}
