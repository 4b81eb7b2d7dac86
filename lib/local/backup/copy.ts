import type { Readable } from 'node:stream';
import type pg from 'pg';

/** The undocumented parts of the driver's connection: COPY messages, and the socket for backpressure. */
type Wire = {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
  stream: Readable & { writableNeedDrain: boolean };
};

/** The callbacks of the driver while a statement runs. It calls the empty ones too: they must exist. */
abstract class CopyStatement {
  readonly done: Promise<void>;
  protected resolve: () => void = () => undefined;
  protected reject: (error: unknown) => void = () => undefined;
  protected wire: Wire | undefined;
  protected failure: unknown;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
  submit(connection: unknown): void {
    this.wire = connection as Wire;
    this.wire.query(this.#text);
  }
  handleError(error: unknown): void {
    this.failure ??= error;
    this.reject(this.failure);
  }
  handleReadyForQuery(): void {
    if (this.failure) this.reject(this.failure);
    else this.resolve();
  }
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

class CopyOut extends CopyStatement {
  #chain: Promise<void> = Promise.resolve();
  #waiting = 0;
  readonly #take: (chunk: Uint8Array) => Promise<void>;

  constructor(text: string, take: (chunk: Uint8Array) => Promise<void>) {
    super(text);
    this.#take = take;
  }
  handleCopyData(message: { chunk: Buffer }): void {
    const chunk = Buffer.from(message.chunk);
    this.#waiting += chunk.length;
    // What is not yet written stays with the server.
    if (this.#waiting > 1_000_000) this.wire?.stream.pause();
    this.#chain = this.#chain
      .then(() => this.#take(chunk))
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .then(() => {
        this.#waiting -= chunk.length;
        if (this.#waiting === 0) this.wire?.stream.resume();
      });
  }
  override handleReadyForQuery(): void {
    void this.#chain.then(() => super.handleReadyForQuery());
  }
}

class CopyIn extends CopyStatement {
  readonly #source: AsyncIterable<Uint8Array>;

  constructor(text: string, source: AsyncIterable<Uint8Array>) {
    super(text);
    this.#source = source;
  }
  handleCopyInResponse(): void {
    void this.#send().catch((error: unknown) => {
      this.failure ??= error;
      this.wire?.sendCopyFail('the source failed');
    });
  }
  async #send(): Promise<void> {
    for await (const chunk of this.#source) {
      if (this.failure) return;
      this.wire?.sendCopyFromChunk(Buffer.from(chunk));
      const stream = this.wire?.stream;
      if (stream?.writableNeedDrain)
        await new Promise<void>((drained) => {
          const go = () => {
            stream.off('drain', go);
            stream.off('close', go);
            drained();
          };
          stream.on('drain', go);
          stream.on('close', go);
        });
    }
    this.wire?.endCopyFrom();
  }
}

/** Runs `COPY … TO STDOUT`; `take` is given the bytes in order, and is waited for. */
export function copyOut(
  client: pg.Client,
  text: string,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const statement = new CopyOut(text, take);
  client.query(statement as unknown as pg.Submittable);
  return statement.done;
}

/** Runs `COPY … FROM STDIN` with these bytes. */
export function copyIn(client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const statement = new CopyIn(text, source);
  client.query(statement as unknown as pg.Submittable);
  return statement.done;
}
