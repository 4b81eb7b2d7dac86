import { manualClock } from '#lib/core/clock.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import type { RefusalRule } from '#lib/providers/fixtures/refusal-rule.ts';
import { GATEWAY_REFUSALS } from '#lib/providers/gateway/recorded-rules.ts';
import { MODELS, modelIdFor, VIDEO_CASES, type VideoCase } from '#lib/providers/models/catalogue.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { FileInput, VideoReference, VideoRole, VideoStartRequest } from '#lib/providers/ports.ts';
import type { CallFacts } from '#lib/providers/transport.ts';
import { createProviders, recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { type VideoSettings, videoSettings } from '#lib/studio/kinds/video-settings.ts';
import { generationRequest, type RequestOf } from '#lib/studio/request.ts';
import { NOON, RENDER_INPUTS } from './calls.ts';

export type Sent = { url: string; init: RequestInit };
export const clock = manualClock(NOON);
export const image: FileInput = {
  kind: 'bytes',
  mediaType: 'image/png',
  bytes: new Uint8Array(Buffer.from(picture(300, 300).data, 'base64')),
};
export const clip: FileInput = { kind: 'url', url: 'https://files.example/clip.mp4', mediaType: 'video/mp4' };
const FIELDS = {
  'start-image': 'startImage',
  'end-image': 'endImage',
  character: 'characters',
  clip: 'clips',
} as const;

/** Recorded services, and the requests that they were sent. */
export function recorded() {
  const sent: Sent[] = [];
  const services = recordedServices(() => clock.now());
  const providers = createProviders({
    live: new Set(),
    clock,
    secrets: {},
    sleep: async () => {},
    recordedFetch: (url, init, facts) => {
      sent.push({ url, init });
      return services(url, init, facts);
    },
  });
  return { sent, services, providers };
}

/** The largest requests that a member may make of a case, one for each way of mixing references, checked by the rules of the composer. */
export function widest(name: VideoCase): VideoStartRequest[] {
  const model: ModelEntry = MODELS[name];
  const rules = model.references ?? {};
  const frames: VideoRole[] = ['start-image', 'end-image'];
  const others: VideoRole[] = ['character', 'clip'];
  return [[], frames, others].flatMap((roles) => {
    const references: VideoReference[] = roles.flatMap((role) =>
      Array.from({ length: rules[role]?.max ?? 0 }, () => ({
        role,
        file: role === 'clip' ? clip : image,
        ...(role === 'clip' ? { durationMs: 4_000 } : {}),
      })),
    );
    const missing = Object.entries(rules).some(
      ([role, { min }]) => references.filter((one) => one.role === role).length < min,
    );
    if (missing) return [];
    const asked: Record<string, unknown> = { kind: 'video', case: name, brief: 'La mer' };
    for (const { role } of references)
      asked[FIELDS[role]] =
        role === 'character' || role === 'clip' ? [...((asked[FIELDS[role]] as string[]) ?? []), 'x'] : 'x';
    const { limits } = model;
    const free: Partial<VideoSettings> = {
      durationSeconds: limits.durationsSeconds?.at(-1),
      aspectRatio: limits.aspectRatios?.at(-1),
      resolution: limits.resolutions?.at(-1),
    };
    const settings = settle(asked, free, model);
    const { durationSeconds, aspectRatio, resolution, generateAudio } = settings;
    return {
      case: name,
      prompt: 'La mer',
      generateAudio,
      references,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(aspectRatio === undefined ? {} : { aspectRatio }),
      ...(resolution === undefined ? {} : { resolution }),
    };
  });
}

/** Every setting at its limit, without those that the composer refuses beside these references. */
function settle(
  asked: Record<string, unknown>,
  free: Partial<VideoSettings>,
  model: ModelEntry,
): VideoSettings {
  const kept = { ...free };
  for (;;) {
    try {
      const body = JSON.parse(JSON.stringify({ ...asked, ...kept }));
      return videoSettings(generationRequest.parse(body) as RequestOf<'video'>, model);
    } catch (error) {
      const field = (error as { options?: { detail?: string } }).options?.detail as keyof VideoSettings;
      if (!(field in kept)) throw error;
      delete kept[field];
    }
  }
}

export type Broken = {
  model?: string;
  body?: Record<string, unknown>;
  at?: string;
  headers?: Record<string, string>;
  facts?: CallFacts;
  /** The address, if the route of the rule does not determine it. */
  url?: string;
  /** Sent first, with the same headers; it is accepted. */
  before?: Record<string, unknown>;
};
const bytes = { type: 'file', mediaType: 'image/png', data: 'AA==' };
const gif = { ...bytes, mediaType: 'image/gif' };
const address = { type: 'url', url: 'https://files.example/a.png' };
const wireClip = { type: 'url', url: 'https://files.example/a.mp4', mediaType: 'video/mp4' };
const prompt = 'La mer';
const inputs = [
  { type: 'video', url: 'https://files.example/a.mp4' },
  { type: 'audio', url: 'https://files.example/a.mp3' },
];

const FILL = 'bfl/flux-pro-1.0-fill';
const TOPAZ = 'topaz/wonder-3.5';
const KLING = 'klingai/kling-v3.0-i2v';
const MOTION = 'klingai/kling-v3.0-motion-control';
const motion = (videoUrl: string) => ({ videoUrl, mode: 'std', characterOrientation: 'video' });

/** The header of an opaque PNG of this size, which is all that a rule reads. */
function picture(width: number, height: number) {
  const head = Buffer.alloc(33);
  head.write('89504e470d0a1a0a0000000d49484452', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  head.writeUInt8(2, 25);
  return { type: 'file', mediaType: 'image/png', data: head.toString('base64') };
}

const WORKFLOW = 'repos/atelier/recorded/actions/workflows/atelier-render.yml';
const GATEWAY = 'https://ai-gateway.vercel.sh';
const ELEVENLABS = 'https://api.elevenlabs.io';
const SPEECH = `${ELEVENLABS}/v1/text-to-speech/${RECORDED_DEFAULT_VOICE_ID}/with-timestamps`;

const dispatch = { ref: 'main', inputs: RENDER_INPUTS };
const { size: _size, ...withoutSize } = RENDER_INPUTS;
const message = (text: string) => ({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] });
const lipsync = { model: 'lipsync-2', input: inputs };
const speech = { text: 'Bonjour', model_id: 'eleven_multilingual_v2' };
/** Requests that two services accept. */
export const WELL_ASKED = { dispatch, speech };
const FLUX = 'bfl/flux-2-pro';
const SONNET = 'anthropic/claude-sonnet-5';
const VEO = 'google/veo-3.1-generate-001';
const underKey = { headers: { 'idempotency-key': 'gen_1' } };
const none = (name: string) => ({ headers: { [name]: '' } });

/** For each rule, a request that breaks it and none of the rules before it. */
export const BROKEN: Record<string, Broken> = {
  'gateway-key': { url: `${GATEWAY}/v1/generation?id=gen_1`, headers: { authorization: 'vck_1' } },
  'gateway-protocol': { url: `${GATEWAY}/v1/generation?id=gen_1`, ...none('ai-gateway-auth-method') },
  'gateway-content-type': {
    url: `${GATEWAY}/v4/ai/image-model`,
    model: FLUX,
    body: { prompt },
    headers: { 'content-type': 'text/plain' },
  },
  'image-headers': { body: { prompt } },
  'language-headers': {
    model: SONNET,
    body: message(prompt),
    headers: { 'ai-language-model-specification-version': '3' },
  },
  'video-headers': {
    url: `${GATEWAY}/v4/ai/video-model/status`,
    body: { operation: {} },
    model: VEO,
    ...none('ai-video-model-specification-version'),
  },
  'image-fields': { model: FLUX, body: { prompt, aspect_ratio: '1:1' } },
  'language-fields': { model: SONNET, body: { ...message(prompt), max_tokens: 2_000 } },
  'video-start-fields': { model: VEO, body: { prompt, duration: 4, webhookUrl: 'https://a.example/' } },
  'video-status-fields': { model: VEO, body: { operation: {}, id: 'job_1' } },
  'language-prompt': { model: SONNET, body: { prompt } },
  'gateway-files': {
    url: `${GATEWAY}/v4/ai/video-model/start`,
    model: VEO,
    body: { prompt, duration: 4, frameImages: [{ image: bytes, frameType: 'last' }] },
  },
  'video-callback-address': { model: VEO, body: { prompt, duration: 4, callbackUrl: 'http://a.example/' } },
  'video-key-reused': {
    model: VEO,
    before: { prompt, duration: 4 },
    body: { prompt, duration: 6 },
    ...underKey,
  },
  'voice-key': { url: `${ELEVENLABS}/v1/user/subscription`, ...none('xi-api-key') },
  'voice-list-page': { url: `${ELEVENLABS}/v2/voices?page_size=101` },
  'voice-content-type': { body: speech, ...none('content-type') },
  'voice-text': { body: { model_id: 'eleven_multilingual_v2' } },
  'voice-output-format': { url: `${SPEECH}?output_format=mp3`, body: speech },
  'lipsync-api-key': { url: 'https://api.sync.so/v2/generate/job_1', ...none('x-api-key') },
  'lipsync-content-type': { body: lipsync, ...none('content-type') },
  'lipsync-key-reused': {
    before: { ...lipsync, options: { sync_mode: 'loop' } },
    body: lipsync,
    ...underKey,
  },
  'lipsync-fields': { body: { ...lipsync, options: { syncMode: 'bounce' } } },
  'lipsync-webhook-address': { body: { ...lipsync, webhookUrl: 'http://a.example/' } },
  'actions-key': { url: `https://api.github.com/${WORKFLOW}`, headers: { authorization: 'ghp_1' } },
  'actions-user-agent': { url: `https://api.github.com/${WORKFLOW}`, ...none('user-agent') },
  'actions-version': {
    url: `https://api.github.com/${WORKFLOW}`,
    headers: { 'x-github-api-version': '2025-10-01' },
  },
  'actions-fields': { body: { ...dispatch, returnRunDetails: true } },
  'actions-input-names': { body: { ...dispatch, inputs: { ...RENDER_INPUTS, generation: 'gen_1' } } },
  'actions-inputs-required': { body: { ...dispatch, inputs: withoutSize } },
  'image-route-models': { model: 'google/veo-3.1-generate-001', body: { prompt } },
  'language-route-models': { model: 'bfl/flux-2-pro', body: { prompt: [] } },
  'video-route-models': { model: 'bfl/flux-2-pro', body: { prompt, duration: 5 } },
  'image-body-size': { model: 'bfl/flux-2-pro', body: { prompt: 'a'.repeat(4_500_000) } },
  'language-body-size': { model: SONNET, body: message('a'.repeat(4_500_000)) },
  'video-body-size': { model: 'google/veo-3.1-generate-001', body: { prompt: 'a'.repeat(4_500_000) } },
  'voice-text-length': { body: { text: 'a'.repeat(10_001), model_id: 'eleven_multilingual_v2' } },
  'voice-settings': {
    body: { text: 'Bonjour', model_id: 'eleven_multilingual_v2', voice_settings: { speed: 1.5 } },
  },
  'voice-model-type': { body: { text: 'Bonjour', model_id: 'eleven_multilingual_sts_v2' } },
  'actions-ref': { body: { inputs: RENDER_INPUTS } },
  'actions-inputs': { body: { ref: 'main', inputs: { ...Array(26).fill('x') } } },
  'actions-inputs-size': {
    body: { ref: 'main', inputs: { ...RENDER_INPUTS, fields: 'x'.repeat(65_536) } },
  },
  'lipsync-key': { body: lipsync, headers: { 'idempotency-key': 'a key' } },
  'lipsync-model': { body: { model: 'lipsync-9', input: inputs } },
  'lipsync-inputs': { body: { model: 'lipsync-2', input: [inputs[0]] } },
  'lipsync-one-visual': { body: { model: 'lipsync-2', input: [...inputs, inputs[0]] } },
  'lipsync-image-model': {
    body: { model: 'lipsync-2', input: [{ type: 'image', url: 'https://files.example/a.png' }, inputs[1]] },
  },
  'lipsync-audio-length': { body: { model: 'lipsync-2', input: inputs }, facts: { outputMs: 300_001 } },
  'lipsync-input-place': { body: { model: 'lipsync-2', input: [inputs[0], { type: 'audio' }] } },
  'lipsync-sync-mode': { body: { model: 'lipsync-2', input: inputs, options: { sync_mode: 'stretch' } } },
  'seedance-ratio-with-frames': {
    model: 'bytedance/seedance-2.5',
    body: { prompt, image: bytes, aspectRatio: '16:9', duration: 5 },
  },
  'seedance-clip-edit-shape': {
    model: 'bytedance/seedance-2.5',
    body: { prompt, inputReferences: [wireClip], duration: 5 },
  },
  'seedance-frames-mixed': {
    model: 'bytedance/seedance-2.0',
    body: { prompt, image: bytes, inputReferences: [bytes], duration: 5 },
  },
  'seedance-duration': { model: 'bytedance/seedance-2.5', body: { prompt, duration: 31 } },
  'seedance-2-duration': { model: 'bytedance/seedance-2.0', body: { prompt, duration: 16 } },
  'seedance-ratio': { model: 'bytedance/seedance-2.0', body: { prompt, duration: 5, aspectRatio: '4:5' } },
  'seedance-size': { model: 'bytedance/seedance-2.5', body: { prompt, duration: 5, resolution: '800x600' } },
  'veo-references-last-8-seconds': {
    model: 'google/veo-3.1-generate-001',
    body: { prompt, inputReferences: [bytes], duration: 4 },
  },
  'veo-images-in-bytes': {
    model: 'google/veo-3.1-fast-generate-001',
    body: { prompt, image: address, duration: 4 },
  },
  'veo-three-references': {
    model: 'google/veo-3.1-generate-001',
    body: { prompt, inputReferences: [bytes, bytes, bytes, bytes], duration: 8 },
  },
  'veo-duration': { model: 'google/veo-3.1-generate-001', body: { prompt, duration: 5 } },
  'veo-ratio': { model: 'google/veo-3.1-generate-001', body: { prompt, duration: 4, aspectRatio: '1:1' } },
  'veo-image-type': {
    model: VEO,
    body: { prompt, duration: 4, image: { ...picture(300, 300), mediaType: 'image/webp' } },
  },
  'veo-frames-mixed': { model: VEO, body: { prompt, duration: 8, image: bytes, inputReferences: [bytes] } },
  'veo-last-frame-alone': {
    model: VEO,
    body: { prompt, duration: 4, frameImages: [{ image: bytes, frameType: 'last_frame' }] },
  },
  'kling-duration': { model: 'klingai/kling-v3.0-t2v', body: { prompt, duration: 2 } },
  'kling-ratio': { model: 'klingai/kling-v3.0-t2v', body: { prompt, duration: 5, aspectRatio: '21:9' } },
  'kling-mode': {
    model: 'klingai/kling-v3.0-t2v',
    body: { prompt, duration: 5, providerOptions: { klingai: { mode: '1080p' } } },
  },
  'kling-prompt-length': { model: KLING, body: { prompt: 'a'.repeat(2_501), duration: 5 } },
  'kling-image-type': {
    model: KLING,
    body: { prompt, duration: 5, image: { ...picture(300, 300), mediaType: 'image/webp' } },
  },
  'kling-image-size': { model: KLING, body: { prompt, duration: 5, image: picture(300, 751) } },
  'motion-options': {
    model: MOTION,
    body: { prompt, image: bytes, providerOptions: { klingai: { videoUrl: wireClip.url, mode: 'std' } } },
  },
  'motion-clip-type': {
    model: MOTION,
    body: { prompt, image: bytes, providerOptions: { klingai: motion('https://files.example/a.webm?t=1') } },
  },
  'seedance-2-references': {
    model: 'bytedance/seedance-2.0',
    body: { prompt, duration: 5, inputReferences: Array(4).fill(wireClip) },
  },
  'seedance-image-size': {
    model: 'bytedance/seedance-2.0',
    body: { prompt, duration: 5, inputReferences: [picture(6_001, 3_000)] },
  },
  'seedance-clip-type': {
    model: 'bytedance/seedance-2.5',
    body: { prompt, duration: -1, inputReferences: [{ ...wireClip, mediaType: 'video/webm' }] },
  },
  'motion-needs-both': { model: 'klingai/kling-v3.0-motion-control', body: { prompt, image: bytes } },
  'flux-size': {
    model: 'bfl/flux-2-pro',
    body: { prompt, providerOptions: { blackForestLabs: { width: 1_000, height: 1_000 } } },
  },
  'flux-references': { model: 'bfl/flux-2-max', body: { prompt, files: Array(9).fill(bytes) } },
  'flux-klein-references': { model: 'bfl/flux-2-klein-9b', body: { prompt, files: Array(5).fill(bytes) } },
  'flux-image-type': { model: FLUX, body: { prompt, files: [gif] } },
  'gpt-image-type': { model: 'openai/gpt-image-2.5-flare', body: { prompt, files: [gif] } },
  'gpt-image-size': { model: 'openai/gpt-image-1.5', body: { prompt, size: '1024x768' } },
  'gpt-image-quality': {
    model: 'openai/gpt-image-1.5',
    body: { prompt, providerOptions: { openai: { quality: 'hd' } } },
  },
  'gpt-image-background': {
    model: 'openai/gpt-image-1.5',
    body: { prompt, providerOptions: { openai: { background: 'transparent', outputFormat: 'jpeg' } } },
  },
  'gpt-image-references': { model: 'openai/gpt-image-1.5', body: { prompt, files: Array(17).fill(bytes) } },
  'gpt-image-2-opaque': {
    model: 'openai/gpt-image-2',
    body: { prompt, providerOptions: { openai: { background: 'transparent' } } },
  },
  'gpt-image-1-retired': {
    model: 'openai/gpt-image-1.5',
    body: { prompt },
    at: '2026-12-01T00:00:00Z',
  },
  'fill-one-image': { model: FILL, body: { prompt, mask: picture(8, 8) } },
  'fill-mask-or-alpha': { model: FILL, body: { prompt, files: [picture(8, 8)] } },
  'fill-mask-size': { model: FILL, body: { prompt, files: [picture(8, 8)], mask: picture(8, 9) } },
  'topaz-needs-image': { model: TOPAZ, body: { size: '16x16' } },
  'topaz-format': { model: TOPAZ, body: { files: [{ ...picture(8, 8), mediaType: 'image/webp' }] } },
  'topaz-output-size': { model: TOPAZ, body: { files: [picture(8, 8)], size: '40000x16' } },
  'sonnet-retired': {
    model: 'anthropic/claude-sonnet-4.5',
    body: { prompt: [] },
    at: '2026-12-01T00:00:00Z',
  },
  'sonnet-thinks': {
    model: 'anthropic/claude-sonnet-5.5',
    body: { prompt: [], providerOptions: { anthropic: { thinking: { type: 'disabled' } } } },
  },
};

function addressOf(route: string): string {
  if (route === 'dispatches') return `https://api.github.com/${WORKFLOW}/${route}`;
  if (route.startsWith('v1/')) return SPEECH;
  if (route.startsWith('v2/')) return `https://api.sync.so/${route}`;
  return `${GATEWAY}/v4/ai/${route.replace('v4/ai/', '')}`;
}

/** Headers for all services: each reads its own. */
const SHOWN = {
  authorization: 'Bearer x',
  'xi-api-key': 'x',
  'x-api-key': 'x',
  'content-type': 'application/json',
  'user-agent': 'atelier',
  'ai-gateway-protocol-version': '0.0.1',
  'ai-gateway-auth-method': 'api-key',
  ...Object.fromEntries(
    ['image', 'language', 'video'].map((kind) => [`ai-${kind}-model-specification-version`, '4']),
  ),
};

/** Sends a recorded service the request that a rule is about. */
export function askRule(
  rule: Pick<RefusalRule<never>, 'route'>,
  { body, model = '', headers = {}, facts = {}, url = addressOf(rule.route) }: Omit<Broken, 'at' | 'before'>,
  on: ReturnType<typeof recordedServices>,
): Promise<Response> {
  const kind = rule.route.endsWith('language-model') ? 'ai-language-model-id' : 'ai-model-id';
  const init = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...SHOWN, ...(model ? { [kind]: model } : {}), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return on(url, init, facts);
}

/** A largest request of a case, and its service's answer to it, or to it once it breaks a rule. */
type MatrixLine = {
  case: VideoCase;
  model: string;
  /** What was sent: references by role, settings. */
  request: string;
  rule: string | null;
  status: number;
  says: string;
  source: string | null;
  /** Why no live service makes the case, which is only played from recordings. */
  unserved: string | null;
};

/**
 * Every video case × its largest legal requests × each documented refusal of its model, sent to the recorded gateway exactly as the live adapter
 * sends them. No key, no network.
 */
export async function refusalMatrix(): Promise<MatrixLine[]> {
  const lines: MatrixLine[] = [];
  for (const name of VIDEO_CASES)
    for (const [index, request] of widest(name).entries()) {
      const { providers, services, sent } = recorded();
      const started = await providers.video.start(request, { idempotencyKey: 'gen_1' });
      const wire = JSON.parse(String(sent[0]?.init.body)) as Record<string, unknown>;
      const startImage = request.references?.some(({ role }) => role === 'start-image') ?? false;
      const model = modelIdFor(name, { startImage });
      const about = { case: name, model, request: shapeOf(request), unserved: MODELS[name].unserved ?? null };
      const isTaken = started.outcome === 'started';
      lines.push({
        ...about,
        rule: null,
        source: null,
        status: isTaken ? 200 : 400,
        says: isTaken ? 'started' : 'detail' in started ? started.detail : '',
      });
      for (const rule of GATEWAY_REFUSALS) {
        const concerns = rule.models.length === 0 || rule.models.some((start) => model.startsWith(start));
        if (rule.route !== 'video-model/start' || !concerns) continue;
        // The same 4.5 MB whatever they contain: once per case.
        if (rule.id === 'video-body-size' && index > 0) continue;
        const { body = {} } = BROKEN[rule.id] as Broken;
        const url = new URL(addressOf(rule.route));
        const facts = { at: clock.now(), url, headers: new Headers(), model };
        const both = { ...wire, ...body };
        const broken = rule.refuses(both, facts) ? both : body;
        const answer = await askRule(rule, { body: broken, model }, services);
        const { error } = (await answer.json()) as { error?: { message?: string } };
        const { id, source } = rule;
        lines.push({ ...about, rule: id, source, status: answer.status, says: error?.message ?? '' });
      }
    }
  return lines;
}

function shapeOf({ references = [], durationSeconds, aspectRatio, resolution }: VideoStartRequest): string {
  const roles = references.map(({ role }) => role);
  const counted = [...new Set(roles)].map((role) => {
    const count = roles.filter((one) => one === role).length;
    return count > 1 ? `${count} × ${role}` : role;
  });
  const seconds = durationSeconds === undefined ? null : `${durationSeconds} s`;
  return [...counted, seconds, aspectRatio, resolution].filter(Boolean).join(', ') || 'prompt alone';
}
