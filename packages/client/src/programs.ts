import type { CallOptions, Transport } from './http/transport.ts';
import type {
  FileList,
  Generation,
  GenerationList,
  GenerationRequest,
  QueryOf,
  StudioFile,
} from './types.ts';
import { type WaitOptions, waitForGeneration } from './wait.ts';

/** Asks for a page when the last one is used up. */
async function* pages<T>(
  read: (cursor: string | undefined) => Promise<{ data: readonly T[]; nextCursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield* page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}

/** Generations by key or token: `studio:read` to read, `studio:generate` to ask, within the credential's monthly cap. */
export class GenerationsClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of the journal, newest first. */
  list(query: QueryOf<'listStudioGenerations'> = {}, options?: CallOptions): Promise<GenerationList> {
    return this.#transport.json('listStudioGenerations', { query }, options);
  }

  /** Every generation that the filters let through, newest first. */
  iterate(
    query: Omit<QueryOf<'listStudioGenerations'>, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Generation, void, undefined> {
    return pages((cursor) => this.list({ ...query, ...(cursor ? { cursor } : {}) }, options));
  }

  /** A generation as it stands now. */
  get(id: string, options?: CallOptions): Promise<Generation> {
    return this.#transport.json('getStudioGeneration', { path: { id } }, options);
  }

  /** Asks for a file. Sent again under its `idempotencyKey` it is paid once; a key is made for each call when none is given. */
  create(
    request: GenerationRequest,
    { idempotencyKey, ...options }: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Generation> {
    return this.#transport.json('createStudioGeneration', { body: request, idempotencyKey }, options);
  }

  /** Reads a generation until it has ended, and gives it. Errors: `AtelierTimeoutError` after `maxWaitMs`; it goes on at the server. */
  wait(id: string, options: WaitOptions = {}): Promise<Generation> {
    return waitForGeneration(this.#transport, id, options, 'getStudioGeneration');
  }
}

/** What generations left, by key or token with `studio:read`. */
export class FilesClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of files, newest first. */
  list(query: QueryOf<'listFiles'> = {}, options?: CallOptions): Promise<FileList> {
    return this.#transport.json('listFiles', { query }, options);
  }

  /** Every file, newest first. */
  iterate(
    query: Omit<QueryOf<'listFiles'>, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<StudioFile, void, undefined> {
    return pages((cursor) => this.list({ ...query, ...(cursor ? { cursor } : {}) }, options));
  }

  /** What a file is: type, size, dimensions. */
  get(id: string, options?: CallOptions): Promise<StudioFile> {
    return this.#transport.json('getFile', { path: { id } }, options);
  }

  /** Its bytes, left to be streamed; `range` such as `bytes=0-1023` asks for a part. */
  download(
    id: string,
    { download, range, ...options }: CallOptions & { download?: boolean; range?: string } = {},
  ): Promise<Response> {
    const query = download ? { download: '1' } : {};
    return this.#transport.bytes('downloadFile', { path: { id }, query, range }, options);
  }
}
