import { createHash } from 'node:crypto';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { GetObjectCommandOutput, HeadObjectCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { checkedStream } from '#lib/core/net/checked-stream.ts';
import { limitSilence } from '#lib/core/net/limit-silence.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import type { FileStore } from '../file-store.ts';
import { OWNER_MARK } from '../pathnames.ts';
import { inTime, SILENCE_MS, type StoreLimits } from '../store-fault.ts';
import { uploadTimeOf } from '../upload-time.ts';
import { bucketAddress, type S3Options } from './s3-options.ts';

type Sdk = typeof import('@aws-sdk/client-s3');
type Opened = { sdk: Sdk; client: S3Client };
type Named = { Bucket: string; Key: string };

/** How many files one request may delete. */
const DELETED_AT_ONCE = 1000;
/**
 * Connections are not counted. Amazon's client has fifty unless it is told otherwise, and a file that is read holds one for as long as its
 * reader takes: fifty slow readers, of one shared link, kept every paid file from being stored.
 */
const CONNECTIONS = { maxSockets: Number.POSITIVE_INFINITY };
const NOT_IMPLEMENTED = 501;
/** What the protocol lets an address live. */
const MAX_SIGNED_SECONDS = 7 * 86_400;

/**
 * The same port on a private bucket of anything that speaks S3: AWS, Cloudflare R2, Scaleway, MinIO. The client is loaded with the first
 * call: an instance that uses another store does not carry it.
 */
export function s3Store(options: S3Options & StoreLimits): FileStore {
  const Bucket = options.bucket;
  const base = bucketAddress(options);
  const addressOf = (pathname: string) => base + pathname.split('/').map(encodeURIComponent).join('/');
  let opened: Promise<Opened> | undefined;
  const open = () => {
    opened ??= openClient(options);
    return opened;
  };
  const call = <T>(
    name: string,
    work: (on: Opened, abortSignal: AbortSignal, goesOn: () => void) => Promise<T>,
  ): Promise<T> => inTime(name, async (abortSignal, goesOn) => work(await open(), abortSignal, goesOn));

  return {
    ownerMark: OWNER_MARK,
    ...(options.conditionalWrites ? {} : { overwrites: true as const }),

    put: (pathname, bytes, { contentType, onlyNew }) =>
      call('put', async ({ sdk, client }, abortSignal) => {
        const Body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        const command = new sdk.PutObjectCommand({
          Bucket,
          Key: pathname,
          Body,
          ContentType: contentType,
          ...(onlyNew && options.conditionalWrites ? { IfNoneMatch: '*' } : {}),
        });
        const { ETag: etag = '' } = await client.send(command, { abortSignal });
        const url = addressOf(pathname);
        return { pathname, url, contentType, bytes: bytes.byteLength, etag, uploadedAt: new Date() };
      }),

    putStream: (pathname, file, { contentType }) =>
      call('put', async ({ sdk, client }, abortSignal, goesOn) => {
        const { body: Body, failed, fault } = checkedStream(file, goesOn);
        const told = { Bucket, Key: pathname, ContentType: contentType, ContentLength: file.bytes };
        const command = new sdk.PutObjectCommand({ ...told, Body });
        // Its digest is known beforehand: the signature holds it, as that of what is put whole, and the store compares too.
        command.middlewareStack.add(
          (next) => (args) => {
            const { headers } = args.request as { headers: Record<string, string> };
            headers['x-amz-content-sha256'] = file.sha256;
            return next(args);
          },
          { step: 'build', name: 'sha256OfStream' },
        );
        const options = { abortSignal: AbortSignal.any([abortSignal, failed]) };
        const { ETag: etag = '' } = await client.send(command, options).catch((error: unknown) => {
          throw fault() ?? error;
        });
        const url = addressOf(pathname);
        return { pathname, url, contentType, bytes: file.bytes, etag, uploadedAt: new Date() };
      }),

    head: (pathname) =>
      call('head', async (on, abortSignal) => {
        const found = await headOf(on, { Bucket, Key: pathname }, abortSignal);
        return (
          found && {
            pathname,
            url: addressOf(pathname),
            contentType: found.ContentType ?? 'application/octet-stream',
            bytes: found.ContentLength ?? 0,
            etag: found.ETag ?? '',
            uploadedAt: uploadTimeOf(found.LastModified),
          }
        );
      }),

    read: (pathname, { maxBytes }) =>
      call('read', async ({ sdk, client }, abortSignal) => {
        const found = await orMissing(
          client.send(new sdk.GetObjectCommand({ Bucket, Key: pathname }), { abortSignal }),
        );
        if (!found?.Body) return null;
        const bytes = await readCapped(streamOf(found.Body), maxBytes, {
          expectedBytes: found.ContentLength,
        });
        return { bytes, contentType: found.ContentType ?? 'application/octet-stream' };
      }),

    async open(pathname, { range, signal } = {}) {
      const found = await call('open', ({ sdk, client }, late) => {
        const Range = range && `bytes=${range.start}-${range.end}`;
        const command = new sdk.GetObjectCommand({ Bucket, Key: pathname, ...(Range ? { Range } : {}) });
        const abortSignal = signal ? AbortSignal.any([late, signal]) : late;
        return orMissing(client.send(command, { abortSignal }));
      });
      if (!found?.Body) return null;
      return {
        stream: limitSilence(streamOf(found.Body), options.silenceMs ?? SILENCE_MS),
        etag: found.ETag ?? '',
        bytes: found.ContentLength ?? null,
        range: found.ContentRange !== undefined,
      };
    },

    list: ({ prefix, limit, cursor }) =>
      call('list', async ({ sdk, client }, abortSignal) => {
        const page = await client.send(
          new sdk.ListObjectsV2Command({
            Bucket,
            Prefix: prefix,
            MaxKeys: limit ?? 1000,
            ...(cursor ? { ContinuationToken: cursor } : {}),
          }),
          { abortSignal },
        );
        const files = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
          pathname: Key,
          url: addressOf(Key),
          bytes: Size,
          etag: ETag,
          uploadedAt: uploadTimeOf(LastModified),
        }));
        const next = page.IsTruncated ? page.NextContinuationToken : undefined;
        return { files, ...(next ? { cursor: next } : {}) };
      }),

    delete: (pathnames, { ifMatch } = {}) =>
      call('delete', async (on, abortSignal) => {
        const [only] = pathnames;
        if (ifMatch !== undefined && only !== undefined)
          return deleteUnchanged(on, { Bucket, Key: only }, ifMatch, abortSignal);
        for (let at = 0; at < pathnames.length; at += DELETED_AT_ONCE) {
          const Objects = pathnames.slice(at, at + DELETED_AT_ONCE).map((Key) => ({ Key }));
          const command = new on.sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
          const { Errors = [] } = await on.client.send(command, { abortSignal });
          const refused = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
          if (refused.length > 0)
            throw new Error(`the store kept ${refused.length} files: ${refused[0]?.Code}`);
        }
        return 'deleted';
      }),

    sign: async (pathname, { expiresAt }) => {
      const { sdk, client } = await open();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({ Bucket, Key: pathname });
      return getSignedUrl(client, command, { expiresIn: secondsUntil(expiresAt) });
    },

    grantWrite: async (pathname, { contentType, bytes, expiresAt }) => {
      const { sdk, client } = await open();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.PutObjectCommand({
        Bucket,
        Key: pathname,
        ContentType: contentType,
        ...(options.conditionalWrites ? { IfNoneMatch: '*' } : {}),
        ...(bytes === undefined ? {} : { ContentLength: bytes }),
      });
      const headers = {
        'content-type': contentType,
        ...(options.conditionalWrites ? { 'if-none-match': '*' } : {}),
      };
      // Signed as headers: the sender cannot leave them out, nor say others.
      const signed = new Set([...Object.keys(headers), ...(bytes === undefined ? [] : ['content-length'])]);
      const url = await getSignedUrl(client, command, {
        expiresIn: secondsUntil(expiresAt),
        signableHeaders: signed,
        unhoistableHeaders: signed,
      });
      return { url, headers };
    },
  };
}

async function openClient(options: S3Options): Promise<Opened> {
  const sdk = await import('@aws-sdk/client-s3');
  const { endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const client = new sdk.S3Client({
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Stores that are not AWS do not all know its newer checksums; the signature already holds the SHA-256 of what is put.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { httpAgent: CONNECTIONS, httpsAgent: CONNECTIONS },
    ...(endpoint ? { endpoint } : {}),
  });
  // A deletion of several was always asked for this digest, and some stores still want it beside the newer one.
  client.middlewareStack.add(
    (next, context) => (args) => {
      const request = args.request as { body?: unknown; headers: Record<string, string> };
      if (context.commandName === 'DeleteObjectsCommand' && typeof request.body === 'string')
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
      return next(args);
    },
    { step: 'build', name: 'contentMd5OfDeletion' },
  );
  return { sdk, client };
}

/** Deletes under the ETag that was seen. It is looked at first: a store that does not know conditional deletion would delete whatever is there. */
async function deleteUnchanged(
  on: Opened,
  file: Named,
  etag: string,
  abortSignal: AbortSignal,
): Promise<'deleted' | 'changed'> {
  const { sdk, client } = on;
  const found = await headOf(on, file, abortSignal);
  if (!found) return 'deleted';
  if (quoted(found.ETag) !== quoted(etag)) return 'changed';
  const remove = (condition: { IfMatch?: string }) =>
    client.send(new sdk.DeleteObjectCommand({ ...file, ...condition }), { abortSignal });
  try {
    await remove({ IfMatch: quoted(etag) });
    return 'deleted';
  } catch (error) {
    if (saysMissing(error)) return 'deleted';
    const status = statusOf(error);
    if (status === 412) return 'changed';
    if (status !== NOT_IMPLEMENTED) throw error;
    // Some stores refuse the condition instead of leaving it out: nothing would ever be deleted there.
    await remove({});
    return 'deleted';
  }
}

/** An ETag between its quotes: some stores list it without them, and answer a read of the same file with them (duckdb/duckdb-httpfs#291). */
function quoted(etag = ''): string {
  return `"${etag.replace(/^"|"$/g, '')}"`;
}

/**
 * What the store says of a file without its bytes; null only where it says that the file is missing. An error that answers HEAD has no body, and reads
 * alike for a missing file and a missing bucket: GET, whose error names which, is then asked.
 */
async function headOf(
  { sdk, client }: Opened,
  file: Named,
  abortSignal: AbortSignal,
): Promise<HeadObjectCommandOutput | GetObjectCommandOutput | null> {
  try {
    return await client.send(new sdk.HeadObjectCommand(file), { abortSignal });
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    const found = await orMissing(client.send(new sdk.GetObjectCommand(file), { abortSignal }));
    // It was stored between the two.
    if (found?.Body) await streamOf(found.Body).cancel();
    return found;
  }
}

async function orMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (saysMissing(error)) return null;
    throw error;
  }
}

/** Whether the store names the file as missing. Its status is not enough: a missing bucket, or an address where no store is, also answers 404. */
function saysMissing(error: unknown): boolean {
  return statusOf(error) === 404 && (error as Error).name === 'NoSuchKey';
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
}

function streamOf(body: { transformToWebStream(): unknown }): ReadableStream<Uint8Array> {
  return body.transformToWebStream() as NodeReadableStream<Uint8Array> as ReadableStream<Uint8Array>;
}

function secondsUntil(expiresAt: Date): number {
  const seconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  return Math.min(MAX_SIGNED_SECONDS, Math.max(1, seconds));
}
