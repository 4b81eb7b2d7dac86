/**
 * The ports of the outside services. A port never throws for what a provider did: every call returns a typed outcome. Addresses from a
 * provider are opaque here; the caller reads them through its own safe fetcher.
 */
import type { ProviderName } from '#lib/core/env.ts';
import type { Micros } from '#lib/core/money.ts';
import type { CallOptions, GatewayCharge, InputRefusal, ProviderFailure } from './ports-call.ts';
import type { RenderRunner } from './ports-render.ts';
import type { VoiceProvider } from './ports-voice.ts';

export type * from './ports-call.ts';
export type * from './ports-render.ts';
export type * from './ports-voice.ts';

/** A file that goes to a provider: bytes, or a public address (signed, expiring). */
export type FileInput =
  | { kind: 'bytes'; bytes: Uint8Array; mediaType: string }
  | { kind: 'url'; url: string; mediaType?: string };

/** A file that a provider delivers. `url` is untrusted: read it with the safe fetcher. */
export type FileOutput =
  | { kind: 'bytes'; bytes: Uint8Array; mediaType: string }
  | { kind: 'url'; url: string; mediaType?: string };

export type TokenUsage = { inputTokens?: number; outputTokens?: number };

/** A warning of the gateway, made readable; `feature` is the setting it concerns, if any. */
export type ProviderWarning = { type: string; feature?: string; details?: string };

// Images ---------------------------------------------------------------------------------------

export type ImageRequest = {
  /** One of IMAGE_CASES (models/catalogue.ts). */
  case: string;
  /** Empty for a model that takes no words. */
  prompt: string;
  aspectRatio: string;
  /** The case's second model is asked: its first proved that it began nothing. */
  isFallback?: boolean;
  /** References and start image, in order. */
  references?: FileInput[];
  /** Begun megapixels of the references, which are billed. */
  referenceMegapixels?: number;
  /** White where the only reference may change, black where it stays; of its very size. */
  mask?: FileInput;
  /** Pixels of the picture to make of the only reference. */
  size?: { width: number; height: number };
  seed?: number;
};

export type ImageResult = GatewayCharge & {
  outcome: 'success';
  /** At least one, never empty. The type comes from the bytes, not from what the provider says. */
  images: { bytes: Uint8Array; mediaType: string }[];
  usage?: TokenUsage;
  warnings: ProviderWarning[];
  /** By its warnings, the picture was made without a reference or the mask: it is not the one that was asked. */
  referencesLeftOut?: true;
};

export interface ImageProvider {
  /** Paid, synchronous; budget `image`. Sent once. */
  generate(request: ImageRequest, options?: CallOptions): Promise<ImageResult | ProviderFailure>;
}

// Pictograms -----------------------------------------------------------------------------------

export type VectorRequest = { case?: 'vector'; system?: string; prompt: string };

export type VectorResult = GatewayCharge & {
  outcome: 'success';
  /** The SVG document found in the answer, unchecked; empty when there is none. */
  svg: string;
  /** The whole text of the model. */
  text: string;
  /** Cut at the token cap (`finishReason: length`). */
  truncated: boolean;
  usage: TokenUsage;
};

export interface VectorProvider {
  /** Paid, synchronous; budget `vector`; at most `maxOutputTokens` of the models table (2,000). */
  generate(request: VectorRequest, options?: CallOptions): Promise<VectorResult | ProviderFailure>;
}

// Videos and lipsync ---------------------------------------------------------------------------

export type VideoRole = 'start-image' | 'end-image' | 'character' | 'clip';

/** Images go as bytes (Veo's provider ignores image addresses), clips as addresses (Kling takes nothing else). */
export type VideoReference = {
  role: VideoRole;
  file: FileInput;
  /** Measured duration of a clip. */
  durationMs?: number;
};

export type VideoStartRequest = {
  /** One of VIDEO_CASES (models/catalogue.ts). */
  case: string;
  prompt: string;
  durationSeconds?: number;
  aspectRatio?: string;
  /** A tier of the case: `480p`, `720p`, `1080p`, `4k`. */
  resolution?: string;
  generateAudio?: boolean;
  references?: VideoReference[];
  /** Registered with the job when given: https only. */
  callbackUrl?: string;
};

/** Settings, by the gateway's names, that decide the price of a video: if one is ignored, another product was made and billed. */
export const BILLED_SETTINGS = ['duration', 'resolution', 'generateAudio', 'mode', 'fps'] as const;
export type BilledSetting = (typeof BILLED_SETTINGS)[number];
/** `references`: a start image, a character or a clip; a film made without it is not the one that was asked. */
export type DroppedSetting = BilledSetting | 'references';

/** The settings that the provider reported as ignored. */
export type DroppedSettings = {
  warnings: ProviderWarning[];
  /** What was sent, ignored, and is part of what is billed, or decides what is shown. */
  dropped: DroppedSetting[];
  endFrameDropped: boolean;
};

export type VideoStarted = DroppedSettings & {
  outcome: 'started';
  /** Opaque JSON: keep it on the row and give it back to `status`. */
  operation: unknown;
  modelId: string;
  jobId?: string;
  /** Only ever present here, and only when a callback was registered. */
  webhookSecret?: string;
  gatewayGenerationId?: string;
};

export type VideoCompleted = DroppedSettings &
  GatewayCharge & {
    outcome: 'completed';
    file: FileOutput;
    /** The provider's own measures, where it reports them. */
    usage?: { outputMs?: number; outputTokens?: number };
  };

/** The job ended without a file; reading again changes nothing. */
export type JobFailed = {
  outcome: 'job-failed';
  reason:
    | 'provider-error'
    | 'content-refused'
    | 'cancelled'
    | 'no-file'
    | 'invalid-request' // refused as it is, nothing more being said
    | 'quota-exhausted'
    | InputRefusal;
  detail: string;
  /** True when it was paid: the provider reports the job as completed, though without a file, or reports its price. */
  paid?: boolean;
} & GatewayCharge;

/** `failed` means that the read failed: the job may still be running. */
export type JobStatus<Completed> =
  /** `unknownStatus`: the provider's status when it is not a known one; the job is read again later. */
  | { outcome: 'pending'; warnings: ProviderWarning[]; unknownStatus?: string }
  | Completed
  | JobFailed
  | ProviderFailure;

export type VideoStatusRequest = { operation: unknown; modelId: string };

export type WebhookInput = {
  /** The body exactly as received, already limited in size. */
  rawBody: string;
  /** `x-ai-gateway-signature`. */
  signature: string | null;
  secret: string;
  /** `providerJobId` of the row. */
  jobId: string;
};

export type WebhookEvent =
  /** Authenticated; its content is only a reason to read the status. */
  | { outcome: 'event'; jobId: string | null; status: string | null }
  | { outcome: 'rejected'; reason: 'signature' | 'stale' | 'malformed' | 'foreign-job' };

export interface VideoProvider {
  /** Paid; budget `videoStart`. Repeated only under the idempotency key. */
  start(request: VideoStartRequest, options?: CallOptions): Promise<VideoStarted | ProviderFailure>;
  /** One read. */
  status(request: VideoStatusRequest, options?: CallOptions): Promise<JobStatus<VideoCompleted>>;
  /** Verifies and reads a callback. It carries no file: read `status` afterwards. */
  parseWebhook(input: WebhookInput): WebhookEvent;
}

export type LipsyncStartRequest = {
  /** `lipsync` (a clip) or `lipsync-character` (an image). */
  case: string;
  visual: { kind: 'url'; url: string; mediaType?: string };
  audio: { kind: 'url'; url: string; mediaType?: string };
  /** Measured duration of the voice: what the output will last. */
  audioMs: number;
  /** Where the service says that the job ended: https only, and only where its webhooks can be verified. */
  callbackUrl?: string;
};

export type LipsyncStarted = {
  outcome: 'started';
  operation: unknown;
  modelId: string;
  jobId: string;
  /** Whether a callback was registered. */
  webhook: boolean;
};

export type LipsyncCompleted = {
  outcome: 'completed';
  file: FileOutput;
  usage?: { outputMs?: number };
  /** What the service says that the job cost, once all of it is recorded. */
  costMicros?: Micros;
};

export interface LipsyncProvider {
  /** Paid; budget `videoStart`. Repeated only under the idempotency key. A callback is registered where one is given and its signature can be verified. */
  start(request: LipsyncStartRequest, options?: CallOptions): Promise<LipsyncStarted | ProviderFailure>;
  status(request: { operation: unknown }, options?: CallOptions): Promise<JobStatus<LipsyncCompleted>>;
  /** Verifies and reads a callback, by the secrets of the service's own dashboard. It carries no file: read `status` afterwards. */
  parseWebhook(input: Omit<WebhookInput, 'secret'>): WebhookEvent;
}

// Cost -----------------------------------------------------------------------------------------

export type CostResult = {
  outcome: 'success';
  costMicros: Micros;
  providerName?: string;
  /** Paid with our own key at the provider: the gateway's figure is not the whole price. */
  ownKey: boolean;
};

export interface CostProvider {
  /** What the gateway debited for one generation. Free, repeatable. */
  cost(gatewayGenerationId: string, options?: CallOptions): Promise<CostResult | ProviderFailure>;
}

// All of them ----------------------------------------------------------------------------------

/** `absent`: not served here, in production without being listed or without its key. */
export type ProviderMode = 'live' | 'fixtures' | 'absent';

export type Providers = {
  image: ImageProvider;
  vector: VectorProvider;
  voice: VoiceProvider;
  video: VideoProvider;
  lipsync: LipsyncProvider;
  cost: CostProvider;
  render: RenderRunner;
  /** Mode of each outside service, for the row and the traces. */
  modes: Record<ProviderName, ProviderMode>;
  /**
   * A recorded result file, when `url` is one that a recorded answer gave; undefined otherwise (always, when live).
   * `await providers.openRecorded(url) ?? await safeFetch(url)`.
   */
  openRecorded(url: string): Promise<Response | undefined>;
};
