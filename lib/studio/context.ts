import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { SafeFetch } from '#lib/core/net/safe-fetch.ts';
import type { settle } from '#lib/ledger/close-reserve.ts';
import type { SpendAlert } from '#lib/ledger/spend-alert.ts';
import type { Providers } from '#lib/providers/ports.ts';
import type { FileStore } from '#lib/storage/file-store.ts';

/** An implausible cost (a figure of the gateway, or a provider's count): the held amount was debited in its place, and the rest waits for the operator. */
export type ImplausibleCost = {
  accountId: string;
  generationId: string;
  gatewayMicros: Micros;
  debitedMicros: Micros;
};

export type StudioConfig = {
  /** `SERVICE_PUBLIC_URL`: where providers call back. Webhooks of videos are registered when it is https, and only then. */
  publicUrl: string | null;
  /** The address this request was sent to: where the runner calls back when no public one is set. */
  requestOrigin?: string;
  /** 0: no alert. */
  spendAlertMicros: Micros;
  /** A render repository, or the embedded runner. */
  rendersConfigured: boolean;
  /** Given to the runner as upload tokens for the row's folder only. */
  storeToken: string | null;
  storeApiUrl: string | null;
  /** What every address of the bucket's files begins with, where the store is one of S3. */
  bucketAddress?: string | null;
  defaultVoiceId: string | null;
};

/** What the studio reaches outside the database; made once per process (lib/http/runtime/studio.ts), by hand in tests. */
export type StudioPorts = {
  providers: Providers;
  /** The recorded services, where others are live: they know the jobs of what is played on them (`POST /api/dev/generate`). */
  recorded?: Providers;
  /** null: none is configured. */
  store: FileStore | null;
  /** Reads addresses that strangers give. */
  fetch: SafeFetch;
  config: StudioConfig;
  mailSpendAlert(alert: SpendAlert): Promise<void>;
  /** Notifies the operator of an implausible cost; absent, it is logged and audited alone. */
  mailImplausibleCost?(alert: ImplausibleCost): Promise<void>;
  /** Writes the debit of a delivered generation; absent, the ledger's own `settle`. */
  settle?: typeof settle;
};

export type StudioContext<A extends Actor = Actor> = Context<A> & { studio: StudioPorts };
