import type { Readable } from 'node:stream';
import {
  BlobNotFoundError,
  BlobPreconditionFailedError,
  del,
  get,
  head,
  issueSignedToken,
  list,
  presignUrl,
  put,
} from '@vercel/blob';
import { checkedStream, type StreamedFile } from '#lib/core/net/checked-stream.ts';
import { limitSilence } from '#lib/core/net/limit-silence.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import { OWNER_MARK } from './pathnames.ts';
import { inTime, SILENCE_MS, type StoreLimits } from './store-fault.ts';
import { uploadTimeOf } from './upload-time.ts';

/** The metadata of a stored file. */
export type StoredFile = {
  pathname: string;
  url: string;
  contentType: string;
  bytes: number;
  etag: string;
  /** Null: the store does not say (`uploadTimeOf`). */
  uploadedAt: Date | null;
};

/** A file being read. */
export type OpenedFile = {
  stream: ReadableStream<Uint8Array>;
  etag: string;
  /** How many bytes the stream gives; null: the store does not say. */
  bytes: number | null;
  range: boolean;
};

/**
 * Private files by pathname. Every method throws when the store refuses or does not answer; a missing file is null (read,
 * head) or nothing (delete).
 */
export type FileStore = {
  /** The pathname of the mark that names its database (`owner-mark.ts`). Absent: no second database can reach this store. */
  ownerMark?: string;
  /** Present: the store has no conditional writes, so that `onlyNew` overwrites. */
  overwrites?: true;
  /**
   * Overwrites. The same pathname twice with the same bytes is the same file. `onlyNew`: throws where a file exists, which stays as it is
   * (except on a store with `overwrites`).
   */
  put(
    pathname: string,
    bytes: Uint8Array,
    options: { contentType: string; onlyNew?: boolean },
  ): Promise<StoredFile>;
  /**
   * Overwrites, as `put`, with a file too large to be held in memory, streamed. Throws, and leaves the former file as it is, when the bytes
   * are not those announced (`OtherBytes`) or cannot be read to their end.
   */
  putStream(pathname: string, file: StreamedFile, options: { contentType: string }): Promise<StoredFile>;
  head(pathname: string): Promise<StoredFile | null>;
  /** The whole file; throws TooManyBytes past `maxBytes`. `fresh`: as it is now, past what a network keeps of it. */
  read(
    pathname: string,
    options: { maxBytes: number; fresh?: boolean },
  ): Promise<{ bytes: Uint8Array; contentType: string } | null>;
  /**
   * The bytes as a stream, whole or one range of them (both ends included); null when there is no such file. `range` in the
   * answer says whether the store honoured it. `signal` stops the stream, which fails when the store falls silent in the middle of it.
   */
  open(
    pathname: string,
    options?: { range?: { start: number; end: number }; signal?: AbortSignal },
  ): Promise<OpenedFile | null>;
  /** One page in the order of pathnames. Content types are not listed. */
  list(options: { prefix: string; limit?: number; cursor?: string }): Promise<{
    files: Omit<StoredFile, 'contentType'>[];
    cursor?: string;
  }>;
  /** With `ifMatch` (one pathname), answers `changed` and keeps a file that is no longer the one that was seen. */
  delete(pathnames: readonly string[], options?: { ifMatch?: string }): Promise<'deleted' | 'changed'>;
  /** An address that opens this one file to whoever has it, until it expires. */
  sign(pathname: string, options: { expiresAt: Date }): Promise<string>;
  /**
   * An address where whoever has it may write this one file, once, until it expires, with these headers; `bytes`: exactly so many.
   * Absent on a store with client tokens of its own.
   */
  grantWrite?(
    pathname: string,
    options: { contentType: string; bytes?: number; expiresAt: Date },
  ): Promise<{ url: string; headers: Record<string, string> }>;
};

/**
 * The cloud's network compresses drawings and texts when the client accepts it (`fetch` does, unless a range is asked for): the answer then has neither the
 * length nor the ETag of the file.
 */
const UNPACKED = { 'accept-encoding': 'identity' };

type BlobAnswer = { headers: { has(name: string): boolean }; blob: { size: number } };

/** The announced length of an answer; null where there is none, which the client reports as 0. */
function announcedBytes({ headers, blob }: BlobAnswer): number | null {
  return headers.has('content-length') ? blob.size : null;
}

/** The file store behind `BLOB_READ_WRITE_TOKEN`: Vercel Blob, or the embedded server that speaks its language. */
export function vercelBlobStore(options: { token: string } & StoreLimits): FileStore {
  const { token } = options;
  const write = async (
    pathname: string,
    { body, bytes }: { body: Buffer | Readable; bytes: number },
    {
      contentType,
      onlyNew,
      abortSignal,
    }: { contentType: string; onlyNew: boolean; abortSignal: AbortSignal },
  ): Promise<StoredFile> => {
    const stored = await put(pathname, body, {
      token,
      abortSignal,
      access: 'private',
      contentType,
      addRandomSuffix: false,
      allowOverwrite: !onlyNew,
    });
    const { url, etag } = stored;
    return {
      pathname: stored.pathname,
      url,
      contentType: stored.contentType,
      bytes,
      etag,
      uploadedAt: new Date(),
    };
  };
  return {
    ownerMark: OWNER_MARK,

    put(pathname, bytes, { contentType, onlyNew = false }) {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return inTime('put', (abortSignal) =>
        write(pathname, { body, bytes: bytes.byteLength }, { contentType, onlyNew, abortSignal }),
      );
    },

    putStream: (pathname, file, { contentType }) =>
      inTime('put', (abortSignal, goesOn) => {
        const { body, failed, fault } = checkedStream(file, goesOn);
        const options = { contentType, onlyNew: false, abortSignal: AbortSignal.any([abortSignal, failed]) };
        return write(pathname, { body, bytes: file.bytes }, options).catch((error: unknown) => {
          // The client retries with a body that was already consumed, and reports only that error.
          const lost =
            error instanceof TypeError && new Error('the store lost the file on its way', { cause: error });
          throw fault() ?? (lost || error);
        });
      }),

    async head(pathname) {
      try {
        const found = await inTime('head', (abortSignal) => head(pathname, { token, abortSignal }));
        const { url, contentType, size, etag } = found;
        const uploadedAt = uploadTimeOf(found.uploadedAt);
        return { pathname: found.pathname, url, contentType, bytes: size, etag, uploadedAt };
      } catch (error) {
        if (error instanceof BlobNotFoundError) return null;
        throw error;
      }
    },

    read: (pathname, { maxBytes, fresh = false }) =>
      inTime('read', async (abortSignal) => {
        const found = await get(pathname, {
          token,
          abortSignal,
          access: 'private',
          headers: UNPACKED,
          useCache: !fresh,
        });
        if (found?.statusCode !== 200) return null;
        const bytes = await readCapped(found.stream, maxBytes, { expectedBytes: announcedBytes(found) });
        return { bytes, contentType: found.blob.contentType };
      }),

    async open(pathname, { range, signal } = {}) {
      // The time limit covers the beginning of the answer, then each piece awaited; the reader's own pauses are not limited.
      const found = await inTime('open', (late) =>
        get(pathname, {
          token,
          access: 'private',
          abortSignal: signal ? AbortSignal.any([late, signal]) : late,
          headers: range ? { range: `bytes=${range.start}-${range.end}` } : UNPACKED,
        }),
      );
      if (found?.statusCode !== 200) return null;
      return {
        stream: limitSilence(found.stream, options.silenceMs ?? SILENCE_MS),
        etag: found.blob.etag,
        bytes: announcedBytes(found),
        range: found.headers.has('content-range'),
      };
    },

    async list({ prefix, limit, cursor }) {
      const page = await inTime('list', (abortSignal) =>
        list({ token, abortSignal, prefix, limit: limit ?? 1000, ...(cursor ? { cursor } : {}) }),
      );
      const files = page.blobs.map(({ pathname, url, size, etag, uploadedAt }) => ({
        pathname,
        url,
        bytes: size,
        etag,
        uploadedAt: uploadTimeOf(uploadedAt),
      }));
      return { files, ...(page.hasMore && page.cursor ? { cursor: page.cursor } : {}) };
    },

    async delete(pathnames, { ifMatch } = {}) {
      if (pathnames.length === 0) return 'deleted';
      try {
        await inTime('delete', (abortSignal) =>
          del([...pathnames], { token, abortSignal, ...(ifMatch ? { ifMatch } : {}) }),
        );
        return 'deleted';
      } catch (error) {
        if (error instanceof BlobNotFoundError) return 'deleted';
        if (error instanceof BlobPreconditionFailedError) return 'changed';
        throw error;
      }
    },

    async sign(pathname, { expiresAt }) {
      const validUntil = expiresAt.getTime();
      const signed = await inTime('sign', (abortSignal) =>
        issueSignedToken({ token, abortSignal, pathname, operations: ['get'], validUntil }),
      );
      const { presignedUrl } = await presignUrl(signed, { operation: 'get', pathname, access: 'private' });
      return presignedUrl;
    },
  };
}
