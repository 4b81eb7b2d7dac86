import type { CallOptions, Transport } from './http/transport.ts';
import type { BodyOf, Generation, GenerationRequest, Journal, QueryOf, ResultOf, Wallet } from './types.ts';
import { type WaitOptions, waitForGeneration } from './wait.ts';

type Keyed = CallOptions & { idempotencyKey?: string };

/**
 * The Studio, with a member's session, or with a key where a scope opens the operation: the exports of a Space, the audit and the account
 * need a session. Amounts are in dollars. Methods that give a `Response` leave its body to be streamed.
 */
export class StudioClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of the journal, newest first. */
  listGenerations(query: QueryOf<'listGenerations'> = {}, options?: CallOptions): Promise<Journal> {
    return this.#transport.json('listGenerations', { query }, options);
  }

  /** Every generation of the journal that the filters let through, newest first; asks for a page when the last one is used up. */
  async *generations(
    query: Omit<QueryOf<'listGenerations'>, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Generation, void, undefined> {
    let cursor: string | null | undefined;
    do {
      const page: Journal = await this.listGenerations({ ...query, ...(cursor ? { cursor } : {}) }, options);
      yield* page.generations;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /**
   * Asks for a file: an image comes with the answer, a video or a render is `running` (`waitForGeneration`). Sent again under its
   * `idempotencyKey` it is not paid again; a key is made for each call when none is given.
   */
  createGeneration(
    request: GenerationRequest,
    { idempotencyKey, ...options }: Keyed = {},
  ): Promise<Generation> {
    return this.#transport.json('createGeneration', { body: request, idempotencyKey }, options);
  }

  /** What a request would do and cost; nothing is started. The body may be unfinished. */
  previewGeneration(
    request: Partial<GenerationRequest> | Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ResultOf<'previewGeneration'>> {
    return this.#transport.json('previewGeneration', { body: request }, options);
  }

  /** A generation as it stands now. */
  getGeneration(id: string, options?: CallOptions): Promise<Generation> {
    return this.#transport.json('getGeneration', { path: { id } }, options);
  }

  /** Reads a generation until it has ended, and gives it. Errors: `AtelierTimeoutError` after `maxWaitMs`; it goes on at the server. */
  waitForGeneration(id: string, options: WaitOptions = {}): Promise<Generation> {
    return waitForGeneration(this.#transport, id, options);
  }

  /** Starts a failed render again. */
  relaunchGeneration(id: string, { idempotencyKey, ...options }: Keyed = {}): Promise<Generation> {
    return this.#transport.json('relaunchGeneration', { path: { id }, idempotencyKey }, options);
  }

  /** The captions of a voice or a lipsync, as SRT or VTT. */
  async readCaptions(
    id: string,
    query: QueryOf<'readCaptions'> = {},
    options?: CallOptions,
  ): Promise<string> {
    return (await this.#transport.bytes('readCaptions', { path: { id }, query }, options)).text();
  }

  /** Sends an image that later requests may refer to. `contentType` is the image's, such as `image/png`. */
  uploadImage(
    image: Blob | Uint8Array<ArrayBuffer>,
    { contentType, ...query }: QueryOf<'uploadImage'> & { contentType: string },
    options?: CallOptions,
  ): Promise<ResultOf<'uploadImage'>> {
    return this.#transport.json('uploadImage', { query, body: image, contentType }, options);
  }

  /** One step of a direct upload to the file store; `upload` of `@vercel/blob/client` sends it, given this address. */
  uploadReference(
    body: BodyOf<'uploadReference'>,
    options?: CallOptions,
  ): Promise<ResultOf<'uploadReference'>> {
    return this.#transport.json('uploadReference', { body }, options);
  }

  /** A file by the path that a generation's `url` ends with; `range` such as `bytes=0-1023` asks for a part. */
  readFile(
    pathname: string,
    { download, range, ...options }: CallOptions & { download?: boolean; range?: string } = {},
  ): Promise<Response> {
    const query = download ? { download: '1' } : {};
    return this.#transport.bytes('readFile', { path: { pathname }, query, range }, options);
  }

  /** The layouts that renders are drawn with. */
  listTemplates(options?: CallOptions): Promise<ResultOf<'listTemplates'>> {
    return this.#transport.json('listTemplates', {}, options);
  }

  /** A layout's example, a PNG. */
  drawTemplateExample(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.bytes('drawTemplateExample', { path: { id } }, options);
  }

  /** What has to be corrected before a render. */
  checkTemplate(
    id: string,
    body: BodyOf<'checkTemplate'>,
    options?: CallOptions,
  ): Promise<ResultOf<'checkTemplate'>> {
    return this.#transport.json('checkTemplate', { path: { id }, body }, options);
  }

  /** A preview of a render, a PNG. */
  drawTemplatePreview(
    id: string,
    body: BodyOf<'drawTemplatePreview'>,
    options?: CallOptions,
  ): Promise<Response> {
    return this.#transport.bytes('drawTemplatePreview', { path: { id }, body }, options);
  }

  /** The voices, and what is left of the provider's quota. */
  readVoiceDesk(options?: CallOptions): Promise<ResultOf<'readVoiceDesk'>> {
    return this.#transport.json('readVoiceDesk', {}, options);
  }

  /** A voice's sample, an MP3. */
  readVoicePreview(voiceId: string, options?: CallOptions): Promise<Response> {
    return this.#transport.bytes('readVoicePreview', { path: { voiceId } }, options);
  }

  /** A member's balance and caps. */
  readWallet(query: QueryOf<'readWallet'> = {}, options?: CallOptions): Promise<Wallet> {
    return this.#transport.json('readWallet', { query }, options);
  }

  /** The statement of a month, as CSV. */
  exportStatement(query: QueryOf<'exportStatement'> = {}, options?: CallOptions): Promise<Response> {
    return this.#transport.bytes('exportStatement', { query }, options);
  }

  /** A whole Space, as JSON or as a zip of Markdown files. */
  exportSpace(id: string, query: QueryOf<'exportSpace'>, options?: CallOptions): Promise<Response> {
    return this.#transport.bytes('exportSpace', { path: { id }, query }, options);
  }

  /** The account's audit, as CSV or JSON. */
  exportAudit(query: QueryOf<'exportAudit'>, options?: CallOptions): Promise<Response> {
    return this.#transport.bytes('exportAudit', { query }, options);
  }

  /** An export of the whole account that was prepared in the cockpit, a zip; `range` resumes a download. */
  readAccountExport(
    id: string,
    { range, ...options }: CallOptions & { range?: string } = {},
  ): Promise<Response> {
    return this.#transport.bytes('readAccountExport', { path: { id }, range }, options);
  }
}
