import { type CallOptions, type ClientOptions, Transport } from './http/transport.ts';
import { FilesClient, GenerationsClient } from './programs.ts';
import { StudioClient } from './studio.ts';
import type {
  AddedMemory,
  BodyOf,
  Context,
  Memory,
  ProjectList,
  QueryOf,
  Quota,
  SearchResults,
  Space,
  SpaceList,
  Wallet,
} from './types.ts';

/**
 * A client of one Atelier service, under one key or session. Every method throws `AtelierError` for a refusal and
 * `AtelierConnectionError` when nothing was answered; each read of the Brain costs one read of the month's quota.
 */
export class AtelierClient {
  readonly #transport: Transport;
  /** Generations, by key or token. */
  readonly generations: GenerationsClient;
  /** Files, by key or token. */
  readonly files: FilesClient;
  /** Everything else of the Studio, by a member's session or, where a scope opens it, by key. */
  readonly studio: StudioClient;

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.generations = new GenerationsClient(this.#transport);
    this.files = new FilesClient(this.#transport);
    this.studio = new StudioClient(this.#transport);
  }

  /** The account's Spaces, oldest first, with its capacity. */
  listSpaces(options?: CallOptions): Promise<SpaceList> {
    return this.#transport.json('listSpaces', {}, options);
  }

  /** A whole Space: its five pillars and their Memories. Asked for conditionally, so that an unchanged Space is not sent again. */
  getSpace(id: string, options?: CallOptions): Promise<Space> {
    return this.#transport.json('getSpace', { path: { id } }, options);
  }

  /** One Memory whole, with its parent and children. */
  getMemory(id: string, options?: CallOptions): Promise<Memory> {
    return this.#transport.json('getMemory', { path: { id } }, options);
  }

  /** Adds a Memory, once however often it is sent under one `idempotencyKey`; `similar` names Memories that say nearly the same. */
  addMemory(
    spaceId: string,
    memory: BodyOf<'addMemory'>,
    { idempotencyKey, ...options }: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<AddedMemory> {
    return this.#transport.json(
      'addMemory',
      { path: { id: spaceId }, body: memory, idempotencyKey },
      options,
    );
  }

  /** A Space as one text for a prompt, never longer than `maxChars`; with `q`, what answers it comes first. */
  getContext(spaceId: string, query: QueryOf<'getContext'> = {}, options?: CallOptions): Promise<Context> {
    return this.#transport.json('getContext', { path: { id: spaceId }, query }, options);
  }

  /** The Memories that answer a question or hold words, best first. */
  search(query: QueryOf<'search'>, options?: CallOptions): Promise<SearchResults> {
    return this.#transport.json('search', { query }, options);
  }

  /** The month's reads: used, left, allowed. Costs none. */
  getQuota(options?: CallOptions): Promise<Quota> {
    return this.#transport.json('getQuota', {}, options);
  }

  /** The projects of the account. A developer key is needed, an access token is refused. */
  listProjects(options?: CallOptions): Promise<ProjectList> {
    return this.#transport.json('listProjects', {}, options);
  }

  /** The member's balance and caps, and the monthly cap of the key that asks. */
  getWallet(options?: CallOptions): Promise<Wallet> {
    return this.#transport.json('getWallet', {}, options);
  }

  /** Forgets the answers that were kept for conditional reads. */
  clearCache(): void {
    this.#transport.clearCache();
  }
}
