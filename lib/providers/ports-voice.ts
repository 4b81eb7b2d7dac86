import type { CallOptions, ProviderFailure } from './ports-call.ts';

/**
 * Where a voice comes from, as far as the provider says:
 * `provider` made by it; `synthetic` designed by text; `library` shared by its owner under the provider's contract;
 * `verified-clone` a person whose consent the provider checked; `clone` a person nobody checked;
 * `unknown` the provider did not say.
 */
export type VoiceOrigin = 'provider' | 'synthetic' | 'library' | 'verified-clone' | 'clone' | 'unknown';

export type Voice = {
  id: string;
  name: string;
  origin: VoiceOrigin;
  /** A real person's voice without a check: usable only with a signed consent. */
  consentNeeded: boolean;
  category?: string;
  description?: string;
  labels: Record<string, string>;
  previewUrl?: string;
};

export type VoiceQuota = {
  used: number;
  limit: number;
  remaining: number;
  /** The account goes on beyond its limit, billed apart by the provider, without an end; absent when it does not. */
  isUncapped?: true;
  resetsAt: Date | null;
};

export type VoiceRequest = {
  case?: 'voice';
  voiceId: string;
  text: string;
  /** 0 to 1. */
  stability?: number;
  similarityBoost?: number;
  /** 0.7 to 1.2. */
  speed?: number;
};

/** When each character of the text that was sent is said. */
export type VoiceAlignment = { characters: string[]; startsMs: number[]; endsMs: number[] };

export type VoiceResult = {
  outcome: 'success';
  bytes: Uint8Array;
  mediaType: string;
  modelId: string;
  /** What the provider says that it counted; absent when it does not say. */
  billedCharacters?: number;
  /** Absent when the provider does not say it in a way that can be read. */
  alignment?: VoiceAlignment;
};

/** The library, at most its first 1,000 voices. */
export type VoiceLibrary = {
  outcome: 'success';
  voices: Voice[];
  /** How many were listed in a shape that cannot be read, and left out; absent when none was. */
  unreadable?: number;
  /** The provider has more voices than were read; absent when it has not. */
  hasMore?: true;
};

export interface VoiceProvider {
  /** Paid, synchronous; budget `voice`. Sent once. */
  synthesize(request: VoiceRequest, options?: CallOptions): Promise<VoiceResult | ProviderFailure>;
  /** Who speaks; budget `voiceOrigin` (10 s). */
  describeVoice(
    voiceId: string,
    options?: CallOptions,
  ): Promise<{ outcome: 'success'; voice: Voice } | ProviderFailure>;
  listVoices(options?: CallOptions): Promise<VoiceLibrary | ProviderFailure>;
  /** The account's character quota at the provider. */
  quota(options?: CallOptions): Promise<{ outcome: 'success'; quota: VoiceQuota } | ProviderFailure>;
}
