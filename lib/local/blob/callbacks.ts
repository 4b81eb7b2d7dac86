import { createHmac, createPrivateKey, sign } from 'node:crypto';
import type { Credentials, UploadCallback } from './grants.ts';
import type { BlobIndex } from './index.ts';

const RETRY_AFTER_MS = [1_000, 5_000, 30_000, 120_000, 600_000];

type Row = { id: number; url: string; body: string; signature: string; attempts: number };

/** Notifies the application, with signed HTTP callbacks, of completed client uploads; each is kept on disk until it is acknowledged. */
export class CallbackQueue {
  readonly #index: BlobIndex;
  readonly #credentials: Credentials;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;
  /** Looks in a row that failed. */
  #faults = 0;

  constructor(index: BlobIndex, credentials: Credentials) {
    this.#index = index;
    this.#credentials = credentials;
  }

  add(callback: UploadCallback, blob: object, nowMs: number): void {
    const body = JSON.stringify({
      type: 'blob.upload-completed',
      payload: { blob, tokenPayload: callback.tokenPayload ?? null },
    });
    const signature = callback.presigned
      ? sign(null, Buffer.from(body), createPrivateKey(this.#credentials.webhookPrivateKey)).toString('hex')
      : createHmac('sha256', this.#credentials.token).update(body).digest('hex');
    this.#index.sql
      .prepare('insert into callback (url, body, signature, nextAtMs) values (?, ?, ?, ?)')
      .run(callback.url, body, signature, nowMs);
    this.wake(0);
  }

  /** Looks for due callbacks after a delay, and again as long as some wait. */
  wake(delayMs: number): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#look());
    }, delayMs).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** An index that cannot be read or written (a full disk, a lasting lock) is tried again: callbacks still wait there. */
  async #look(): Promise<void> {
    try {
      await this.#sendDue();
      this.#faults = 0;
    } catch (error) {
      console.error(`The embedded file store could not read what it has to tell; it tries again: ${error}`);
      this.wake(RETRY_AFTER_MS[Math.min(this.#faults, RETRY_AFTER_MS.length - 1)] ?? 0);
      this.#faults += 1;
    }
  }

  async #sendDue(): Promise<void> {
    for (;;) {
      const row = this.#closed ? undefined : this.#claim();
      if (!row) break;
      if (await delivered(row)) this.#index.sql.prepare('delete from callback where id = ?').run(row.id);
    }
    if (this.#closed) return;
    const next = this.#index.sql.prepare('select min(nextAtMs) as at from callback').get();
    if (typeof next?.at === 'number') this.wake(Math.max(50, next.at - Date.now()));
  }

  /** Schedules the next attempt before making this one, so that another process on the same folder does not send it too. */
  #claim(): Row | undefined {
    return this.#index.change(() => {
      const row = this.#index.sql
        .prepare('select * from callback where nextAtMs <= ? order by nextAtMs limit 1')
        .get(Date.now()) as Row | undefined;
      if (!row) return undefined;
      const delay = RETRY_AFTER_MS[row.attempts];
      if (delay === undefined) this.#index.sql.prepare('delete from callback where id = ?').run(row.id);
      else
        this.#index.sql
          .prepare('update callback set attempts = attempts + 1, nextAtMs = ? where id = ?')
          .run(Date.now() + delay, row.id);
      return row;
    });
  }
}

async function delivered(row: Row): Promise<boolean> {
  try {
    const response = await fetch(row.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vercel-signature': row.signature },
      body: row.body,
      signal: AbortSignal.timeout(15_000),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
