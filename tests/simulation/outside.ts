import type { Clock } from '#lib/core/clock.ts';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { recordedVoice } from '#lib/providers/fixtures/recorded-voice.ts';
import type {
  FailureReason,
  ImageProvider,
  JobStatus,
  LipsyncProvider,
  ProviderFailure,
  Providers,
  RenderRunner,
  VectorProvider,
  VideoCompleted,
  VideoProvider,
  VoiceProvider,
} from '#lib/providers/ports.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import type { Instance } from './instance.ts';
import { type Asked, MINUTE_MS, type ProviderScript } from './plan.ts';
import { type Random, seeded } from './random.ts';

/** What the outside services really did, whoever was told. */
export type Job = {
  id: string;
  generationId: string;
  readyAt: number;
  script: ProviderScript;
  durationMs: number;
  /** How often it was read so far. */
  reads: number;
  prices: Random;
};

export type Outside = {
  jobs: Map<string, Job>;
  runs: Map<string, Job>;
  /** Calls per generation that may have begun something paid. */
  paid: Map<string, number>;
};

/** How each documented refusal comes: its status, and whether it proves that nothing was begun (lib/providers/transport-status.ts). */
const REFUSALS: Partial<Record<FailureReason, Pick<ProviderFailure, 'retrySafe' | 'status'>>> = {
  'rate-limited': { retrySafe: 'surely-not-sent', status: 429 },
  'provider-error': { retrySafe: 'unknown', status: 500 },
  'quota-exhausted': { retrySafe: 'refused', status: 402 },
  unauthorized: { retrySafe: 'refused', status: 401 },
  'invalid-request': { retrySafe: 'refused', status: 400 },
  'content-refused': { retrySafe: 'refused', status: 400 },
  unreachable: { retrySafe: 'surely-not-sent' },
};

const failure = (reason: FailureReason): ProviderFailure => ({
  outcome: 'failed',
  reason,
  retrySafe: 'unknown',
  detail: 'simulated',
  attempts: 1,
  elapsedMs: 1,
  ...REFUSALS[reason],
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const PIXEL: Uint8Array = new Uint8Array(PNG);
const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="#123456"/></svg>';
const UNSAFE_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><script>alert(1)</script></svg>';

const videos = new Map<number, Promise<Uint8Array>>();
function videoOf(durationMs: number): Promise<Uint8Array> {
  const made = videos.get(durationMs) ?? recordedVideo({ durationMs, aspectRatio: '16:9', audio: true });
  videos.set(durationMs, made);
  return made;
}

type OutsideOptions = {
  base: Providers;
  outside: Outside;
  instance: Instance;
  clock: Clock;
  /** The request that this instance serves: nothing else begins anything. */
  asked?: Asked | undefined;
};

/** The providers as one instance sees them: every call may fail, be lost after it took effect, or be its last. */
export function outsideProviders({ base, outside, instance, clock, asked }: OutsideOptions): Providers {
  const now = () => clock.now().getTime();
  /** A port never throws for what a provider did: a fault is a typed failure. */
  const guarded = <T>(work: () => Promise<T>): Promise<T | ProviderFailure> =>
    instance.call(work).catch(() => failure('connection-lost'));
  /** What the provider does with the request, and a payment where it may have been begun. */
  const begin = (generationId: string): ProviderScript | ProviderFailure => {
    if (!asked) throw new Error('an instance that serves no request began work');
    const { script } = asked;
    const refused = script.start === 'taken' ? null : failure(script.start);
    if (refused?.retrySafe !== 'surely-not-sent')
      outside.paid.set(generationId, (outside.paid.get(generationId) ?? 0) + 1);
    return refused ?? script;
  };
  const jobOf = (id: string, generationId: string, script: ProviderScript, durationMs: number): Job => ({
    id,
    generationId,
    script,
    durationMs,
    reads: 0,
    prices: seeded(script.seed),
    readyAt: now() + script.readyMinutes * MINUTE_MS,
  });
  const begun = (id: string, generationId: string, script: ProviderScript, durationMs: number): Job => {
    const known = outside.jobs.get(id) ?? jobOf(id, generationId, script, durationMs);
    outside.jobs.set(id, known);
    return known;
  };

  const image: ImageProvider = {
    generate: ({ isFallback }, options) =>
      guarded(async () => {
        const script = isFallback && asked ? asked.script : begin(options?.idempotencyKey ?? '');
        if ('outcome' in script) return script;
        return {
          outcome: 'success',
          images: [
            script.ends === 'garbage'
              ? { bytes: new Uint8Array([1]), mediaType: 'image/png' }
              : { bytes: PIXEL, mediaType: 'image/png' },
          ],
          warnings: [],
          costMicros: 20_000n + BigInt(seeded(script.seed).below(40_000)),
          gatewayGenerationId: 'gen_sim',
        };
      }),
  };
  const vector: VectorProvider = {
    generate: (_request, options) =>
      guarded(async () => {
        const script = begin(options?.idempotencyKey ?? '');
        if ('outcome' in script) return script;
        const svg = script.ends === 'garbage' ? UNSAFE_DRAWING : DRAWING;
        return {
          outcome: 'success',
          svg,
          text: svg,
          truncated: false,
          usage: { inputTokens: 200, outputTokens: 100 + seeded(script.seed).below(900) },
          costMicros: 1_000n + BigInt(seeded(script.seed).below(5_000)),
        };
      }),
  };
  const voice: VoiceProvider = {
    ...base.voice,
    describeVoice: (...args) => guarded(() => base.voice.describeVoice(...args)),
    synthesize: ({ text }) =>
      guarded(async () => {
        const script = begin(`voice ${asked?.id}`);
        if ('outcome' in script) return script;
        return {
          outcome: 'success',
          mediaType: 'audio/mpeg',
          modelId: 'eleven_multilingual_v2',
          bytes: script.ends === 'garbage' ? PIXEL : await recordedVoice(text),
          billedCharacters: text.length + seeded(script.seed).below(20),
        };
      }),
  };
  /** What a job's provider answers to one read of it. */
  const read = async (id: string): Promise<JobStatus<VideoCompleted>> => {
    const job = outside.jobs.get(id);
    if (!job) return failure('not-found');
    const { script } = job;
    const fault = script.reads.find((one) => one.read === job.reads);
    job.reads += 1;
    if (fault) return failure(fault.reason);
    if (script.ends === 'never' || now() < job.readyAt) return { outcome: 'pending', warnings: [] };
    if (script.ends === 'no-file')
      return { outcome: 'job-failed', reason: 'no-file', detail: 'simulated', paid: true };
    if (script.ends === 'provider-error' || script.ends === 'content-refused' || script.ends === 'cancelled')
      return { outcome: 'job-failed', reason: script.ends, detail: 'simulated' };
    const bytes = script.ends === 'garbage' ? PIXEL : await videoOf(job.durationMs);
    return {
      outcome: 'completed',
      file: { kind: 'bytes', bytes, mediaType: 'video/mp4' },
      warnings: [],
      dropped: script.ends === 'dropped' ? ['duration'] : [],
      endFrameDropped: false,
      // Each answer may tell another figure: whoever settles, one figure is debited.
      costMicros: 300_000n + BigInt(job.prices.below(50_000)),
    };
  };
  const status: VideoProvider['status'] & LipsyncProvider['status'] = ({ operation }) =>
    guarded(() => read((operation as { id: string }).id));
  const startVideo: VideoProvider['start'] = ({ durationSeconds = 4 }, options) =>
    guarded(async () => {
      const generationId = options?.idempotencyKey ?? '';
      const script = begin(generationId);
      if ('outcome' in script) return script;
      const { id } = begun(`job_${generationId}`, generationId, script, durationSeconds * 1_000);
      return {
        outcome: 'started',
        operation: { id },
        modelId: 'google/veo',
        jobId: id,
        webhookSecret: `secret_${id}`,
        warnings: [],
        dropped: [],
        endFrameDropped: false,
      };
    });
  const startLipsync: LipsyncProvider['start'] = ({ audioMs }, options) =>
    guarded(async () => {
      const generationId = options?.idempotencyKey ?? '';
      const script = begin(generationId);
      if ('outcome' in script) return script;
      const { id } = begun(`job_${generationId}`, generationId, script, audioMs);
      return {
        outcome: 'started',
        operation: { id },
        modelId: 'sync/lipsync',
        jobId: id,
        webhook: true,
      };
    });
  const render: RenderRunner = {
    dispatch: ({ inputs }) =>
      guarded(async () => {
        const generationId = inputs.generation_id ?? '';
        const script = begin(generationId);
        if ('outcome' in script) return script;
        const run = jobOf(`run_${generationId}`, generationId, script, 0);
        outside.runs.set(run.id, run);
        return { outcome: 'dispatched', runId: run.id };
      }),
    status: (runId) =>
      guarded(async () => {
        const run = outside.runs.get(runId);
        if (!run) return failure('not-found');
        const fault = run.script.reads.find((one) => one.read === run.reads);
        run.reads += 1;
        if (fault) return failure(fault.reason);
        const { ends } = run.script;
        if (ends === 'vanished' || now() < run.readyAt) return { outcome: 'running' };
        if (ends === 'blackout') return { outcome: 'run-failed', conclusion: 'failure', blackout: true };
        if (ends === 'failure') return { outcome: 'run-failed', conclusion: 'failure', blackout: false };
        return { outcome: 'succeeded' };
      }),
  };
  return {
    ...base,
    image,
    vector,
    voice,
    render,
    video: { ...base.video, start: startVideo, status },
    lipsync: { ...base.lipsync, start: startLipsync, status },
    cost: { cost: () => guarded(async () => failure('not-found')) },
  };
}

/** The store as one instance sees it. */
export function outsideStore(real: FileStore, instance: Instance): FileStore {
  return {
    put: (...args) => instance.call(() => real.put(...args)),
    putStream: (...args) => instance.call(() => real.putStream(...args)),
    head: (...args) => instance.call(() => real.head(...args)),
    read: (...args) => instance.call(() => real.read(...args)),
    open: (...args) => instance.call(() => real.open(...args)),
    list: (...args) => instance.call(() => real.list(...args)),
    delete: (...args) => instance.call(() => real.delete(...args)),
    sign: (...args) => instance.call(() => real.sign(...args)),
  };
}
