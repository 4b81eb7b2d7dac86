import { createHash } from 'node:crypto';
import { checkedStream } from '#lib/core/net/checked-stream.ts';
import { readCapped } from '#lib/core/net/read-capped.ts';
import type { FileStore, StoredFile } from '#lib/storage/file-store.ts';

export type MemoryStore = FileStore & {
  files: Map<string, StoredFile & { content: Uint8Array; uploadedAt: Date }>;
};

/** A file store in memory with the semantics of the port, for simulations of many schedules. */
export function memoryStore(now: () => Date = () => new Date()): MemoryStore {
  const files: MemoryStore['files'] = new Map();
  return {
    files,
    async put(pathname, bytes, { contentType, onlyNew }) {
      if (onlyNew && files.has(pathname)) throw new Error('a file lies there already');
      const etag = createHash('md5').update(bytes).digest('hex');
      const url = `https://local.private.blob.vercel-storage.com/${pathname}`;
      const file = {
        pathname,
        url,
        contentType,
        bytes: bytes.byteLength,
        etag,
        uploadedAt: now(),
        content: bytes,
      };
      files.set(pathname, file);
      return file;
    },
    async putStream(pathname, file, options) {
      const content = await readCapped(checkedStream(file).body, file.bytes);
      return this.put(pathname, content, options);
    },
    async head(pathname) {
      return files.get(pathname) ?? null;
    },
    async read(pathname, { maxBytes }) {
      const file = files.get(pathname);
      if (!file) return null;
      if (file.bytes > maxBytes) throw new RangeError('file is larger than allowed');
      return { bytes: file.content, contentType: file.contentType };
    },
    async open(pathname, { range } = {}) {
      const file = files.get(pathname);
      if (!file) return null;
      const part = range ? file.content.subarray(range.start, range.end + 1) : file.content;
      return {
        stream: new Blob([new Uint8Array(part)]).stream(),
        etag: file.etag,
        bytes: part.byteLength,
        range: range !== undefined,
      };
    },
    async list({ prefix, limit = 1000, cursor }) {
      const found = [...files.keys()]
        .filter((name) => name.startsWith(prefix) && (!cursor || name > cursor))
        .sort();
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        files: page.map((name) => files.get(name) as StoredFile),
        ...(found.length > limit && last ? { cursor: last } : {}),
      };
    },
    async delete(pathnames, { ifMatch } = {}) {
      for (const pathname of pathnames) {
        const file = files.get(pathname);
        if (file && ifMatch && file.etag !== ifMatch) return 'changed';
        files.delete(pathname);
      }
      return 'deleted';
    },
    async sign(pathname, { expiresAt }) {
      return `https://local.private.blob.vercel-storage.com/${pathname}?until=${expiresAt.getTime()}`;
    },
  };
}
