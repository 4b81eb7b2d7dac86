import type { Budgets } from '../budgets.ts';
import { modelFor } from '../models/catalogue.ts';
import type {
  CallOptions,
  ProviderFailure,
  ProviderMode,
  Voice,
  VoiceLibrary,
  VoiceProvider,
  VoiceQuota,
  VoiceRequest,
  VoiceResult,
} from '../ports.ts';
import { traced } from '../trace.ts';
import { badAnswer, jsonOf, notConfigured, type ProviderAnswer, send, type Wiring } from '../transport.ts';
import { readVoice } from './origin.ts';
import { subscriptionSchema, timedSpeechSchema, voicePageSchema, voiceSchema } from './schemas.ts';

const ELEVENLABS_ORIGIN = 'https://api.elevenlabs.io';
const PAGE_SIZE = 100;
const MAX_PAGES = 10;

type ElevenLabsClient = Wiring & { apiKey: string | undefined };

/** Voices through ElevenLabs, plain HTTP. */
export function createVoiceProvider(
  client: ElevenLabsClient,
  budgets: Budgets,
  mode: ProviderMode,
): VoiceProvider {
  const { modelId } = modelFor('voice');
  return {
    synthesize: (request, options = {}) =>
      traced({ mode, capability: 'voice', model: modelId }, () =>
        synthesize(client, budgets.voice, request, options),
      ),
    describeVoice: (voiceId, options = {}) =>
      traced({ mode, capability: 'voice.describe' }, () =>
        describe(client, budgets.voiceOrigin, voiceId, options),
      ),
    listVoices: (options = {}) =>
      traced({ mode, capability: 'voice.list' }, () => list(client, budgets.voiceList, options)),
    quota: (options = {}) =>
      traced({ mode, capability: 'voice.quota' }, () => quota(client, budgets.voiceQuota, options)),
  };
}

async function synthesize(
  client: ElevenLabsClient,
  budgetMs: number,
  request: VoiceRequest,
  options: CallOptions,
): Promise<VoiceResult | ProviderFailure> {
  const { modelId } = modelFor('voice');
  const settings = {
    ...(request.stability === undefined ? {} : { stability: request.stability }),
    ...(request.similarityBoost === undefined ? {} : { similarity_boost: request.similarityBoost }),
    ...(request.speed === undefined ? {} : { speed: request.speed }),
  };
  const answer = await ask(client, budgetMs, options, {
    method: 'POST',
    path: `/v1/text-to-speech/${encodeURIComponent(request.voiceId)}/with-timestamps?output_format=mp3_44100_128`,
    json: {
      text: request.text,
      model_id: modelId,
      ...(Object.keys(settings).length > 0 ? { voice_settings: settings } : {}),
    },
    repeatable: false,
  });
  if (answer.outcome === 'failed') return answer;
  const parsed = timedSpeechSchema.safeParse(jsonOf(answer.bytes));
  if (!parsed.success) return badAnswer('the voice answer is not audio with its times');
  const bytes = new Uint8Array(Buffer.from(parsed.data.audio_base64, 'base64'));
  if (bytes.length === 0) return badAnswer('the voice answer holds no audio');
  const { alignment } = parsed.data;
  const counted = answer.headers.get('character-cost')?.trim() ?? '';
  return {
    outcome: 'success',
    bytes,
    // What was asked by `output_format`; what the bytes are is measured by whoever keeps them.
    mediaType: 'audio/mpeg',
    modelId,
    ...(alignment
      ? {
          alignment: {
            characters: alignment.characters,
            startsMs: alignment.character_start_times_seconds.map((at) => at * 1_000),
            endsMs: alignment.character_end_times_seconds.map((at) => at * 1_000),
          },
        }
      : {}),
    ...(/^\d{1,9}$/.test(counted) ? { billedCharacters: Number(counted) } : {}),
  };
}

async function describe(
  client: ElevenLabsClient,
  budgetMs: number,
  voiceId: string,
  options: CallOptions,
): Promise<{ outcome: 'success'; voice: Voice } | ProviderFailure> {
  const answer = await ask(client, budgetMs, options, {
    method: 'GET',
    path: `/v1/voices/${encodeURIComponent(voiceId)}`,
    repeatable: true,
  });
  if (answer.outcome === 'failed') return voiceGone(answer);
  const parsed = voiceSchema.safeParse(jsonOf(answer.bytes));
  if (!parsed.success || parsed.data.voice_id !== voiceId)
    return badAnswer('the voice answer does not describe that voice');
  return { outcome: 'success', voice: readVoice(parsed.data) };
}

/** ElevenLabs answers 400 as well as 404 for a voice that is not there. */
function voiceGone(failure: ProviderFailure): ProviderFailure {
  return failure.status === 400 && /voice_(not_found|does_not_exist)/.test(failure.detail)
    ? { ...failure, reason: 'not-found' }
    : failure;
}

async function list(
  client: ElevenLabsClient,
  budgetMs: number,
  options: CallOptions,
): Promise<VoiceLibrary | ProviderFailure> {
  /** By identifier: a page that is answered twice lists nobody twice. */
  const voices = new Map<string, Voice>();
  let unreadable = 0;
  let hasMore = false;
  const endsAtMs = performance.now() + (options.timeoutMs ?? budgetMs);
  let pageToken: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ page_size: String(PAGE_SIZE) });
    if (pageToken) query.set('next_page_token', pageToken);
    const remainingMs = Math.max(1, endsAtMs - performance.now());
    const answer = await ask(
      client,
      budgetMs,
      { ...options, timeoutMs: remainingMs },
      {
        method: 'GET',
        path: `/v2/voices?${query}`,
        repeatable: true,
      },
    );
    if (answer.outcome === 'failed') return answer;
    const parsed = voicePageSchema.safeParse(jsonOf(answer.bytes));
    if (!parsed.success) return badAnswer('the voice list is not what its schema says');
    for (const listed of parsed.data.voices) {
      const voice = voiceSchema.safeParse(listed);
      if (voice.success) voices.set(voice.data.voice_id, readVoice(voice.data));
      else unreadable += 1;
    }
    const next = parsed.data.next_page_token;
    const isLast = !parsed.data.has_more || (Boolean(next) && next === pageToken);
    hasMore = !isLast;
    if (isLast || !next) break;
    pageToken = next;
  }
  if (voices.size === 0 && unreadable > 0) return badAnswer('no voice of the list can be read');
  return {
    outcome: 'success',
    voices: [...voices.values()],
    ...(unreadable > 0 ? { unreadable } : {}),
    ...(hasMore ? { hasMore: true as const } : {}),
  };
}

async function quota(
  client: ElevenLabsClient,
  budgetMs: number,
  options: CallOptions,
): Promise<{ outcome: 'success'; quota: VoiceQuota } | ProviderFailure> {
  const answer = await ask(client, budgetMs, options, {
    method: 'GET',
    path: '/v1/user/subscription',
    repeatable: true,
  });
  if (answer.outcome === 'failed') return answer;
  const parsed = subscriptionSchema.safeParse(jsonOf(answer.bytes));
  if (!parsed.success) return badAnswer('the subscription answer is not what its schema says');
  const { character_count: used, character_limit, max_credit_limit_extension: told } = parsed.data;
  const isUncapped = told === 'unlimited';
  const extension = isUncapped ? 0 : told;
  const limit = character_limit + (extension ?? 0);
  const resetUnix = parsed.data.next_character_count_reset_unix;
  return {
    outcome: 'success',
    quota: {
      used,
      limit,
      remaining: Math.max(0, limit - used),
      ...(isUncapped ? { isUncapped: true as const } : {}),
      resetsAt: resetUnix ? new Date(resetUnix * 1_000) : null,
    },
  };
}

async function ask(
  client: ElevenLabsClient,
  budgetMs: number,
  options: CallOptions,
  request: { method: 'GET' | 'POST'; path: string; json?: unknown; repeatable: boolean },
): Promise<ProviderAnswer | ProviderFailure> {
  if (!client.apiKey) return notConfigured('ELEVENLABS_API_KEY');
  return send(
    client,
    {
      method: request.method,
      url: `${ELEVENLABS_ORIGIN}${request.path}`,
      headers: {
        'xi-api-key': client.apiKey,
        accept: 'application/json',
      },
      ...(request.json === undefined ? {} : { json: request.json }),
      repeatable: request.repeatable,
    },
    budgetMs,
    options,
  );
}
