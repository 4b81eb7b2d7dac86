import type { Clock } from '#lib/core/clock.ts';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import type {
  ImageProvider,
  ProviderFailure,
  Providers,
  RenderRunner,
  VideoProvider,
} from '#lib/providers/ports.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import type { Instance } from './instance.ts';
import type { Random } from './random.ts';

/** What the outside services really did, whoever was told. */
export type Job = {
  id: string;
  generationId: string;
  readyAt: number;
  ends: 'completed' | 'failed' | 'dropped' | 'garbage' | 'never';
};
export type Run = {
  id: string;
  generationId: string;
  readyAt: number;
  ends: 'success' | 'failure' | 'empty' | 'blackout' | 'vanished';
};

export type Outside = {
  jobs: Map<string, Job>;
  runs: Map<string, Run>;
  /** Paid calls per generation. */
  paid: Map<string, number>;
};

const failure = (reason: ProviderFailure['reason']): ProviderFailure => ({
  outcome: 'failed',
  reason,
  retrySafe: 'unknown',
  detail: 'simulated',
  attempts: 1,
  elapsedMs: 1,
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const PIXEL: Uint8Array = new Uint8Array(PNG);

let video: Promise<Uint8Array> | undefined;
const theVideo = () => {
  video ??= recordedVideo({ durationMs: 4_000, aspectRatio: '16:9', audio: true });
  return video;
};

/** The providers as one instance sees them: every call may fail, be lost after it took effect, or be its last. */
export function outsideProviders(
  base: Providers,
  outside: Outside,
  instance: Instance,
  random: Random,
  clock: Clock,
): Providers {
  const now = () => clock.now().getTime();
  /** A port never throws for what a provider did: a fault is a typed failure. */
  const guarded = <T>(work: () => Promise<T>): Promise<T | ProviderFailure> =>
    instance.call(work).catch(() => failure('connection-lost'));
  const pay = (generationId: string) =>
    outside.paid.set(generationId, (outside.paid.get(generationId) ?? 0) + 1);

  const image: ImageProvider = {
    generate: (_request, options) =>
      guarded(async () => {
        pay(options?.idempotencyKey ?? '');
        if (random.chance(0.1)) return failure('timeout');
        const costMicros = 20_000n + BigInt(random.below(40_000));
        return {
          outcome: 'success',
          images: [{ bytes: PIXEL, mediaType: 'image/png' }],
          warnings: [],
          costMicros,
          gatewayGenerationId: 'gen_sim',
        };
      }),
  };
  const start: VideoProvider['start'] = (_request, options) =>
    guarded(async () => {
      const generationId = options?.idempotencyKey ?? '';
      pay(generationId);
      if (random.chance(0.05)) return failure('timeout');
      const id = `job_${generationId}`;
      const ends = random.pick([
        'completed',
        'completed',
        'completed',
        'completed',
        'failed',
        'dropped',
        'garbage',
        'never',
      ] as const);
      outside.jobs.set(id, { id, generationId, readyAt: now() + random.below(90) * 60_000, ends });
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
  const status: VideoProvider['status'] = ({ operation }) =>
    guarded(async () => {
      const job = outside.jobs.get((operation as { id: string }).id);
      if (!job) return failure('not-found');
      if (job.ends === 'never' || now() < job.readyAt) return { outcome: 'pending', warnings: [] };
      if (job.ends === 'failed')
        return { outcome: 'job-failed', reason: 'provider-error', detail: 'simulated' };
      const bytes = job.ends === 'garbage' ? PIXEL : await theVideo();
      return {
        outcome: 'completed',
        file: { kind: 'bytes', bytes, mediaType: 'video/mp4' },
        warnings: [],
        dropped: job.ends === 'dropped' ? ['duration'] : [],
        endFrameDropped: false,
        // Each answer may tell another figure: whoever settles, one figure is debited.
        costMicros: 300_000n + BigInt(random.below(50_000)),
      };
    });
  const render: RenderRunner = {
    dispatch: ({ inputs }) =>
      guarded(async () => {
        const generationId = inputs.generation_id ?? '';
        pay(generationId);
        if (random.chance(0.05)) return failure('provider-error');
        const id = `run_${generationId}`;
        const ends = random.pick([
          'success',
          'success',
          'success',
          'failure',
          'empty',
          'blackout',
          'vanished',
        ] as const);
        outside.runs.set(id, { id, generationId, readyAt: now() + random.below(30) * 60_000, ends });
        return { outcome: 'dispatched', runId: id };
      }),
    status: (runId) =>
      guarded(async () => {
        const run = outside.runs.get(runId);
        if (!run) return failure('not-found');
        if (run.ends === 'vanished' || now() < run.readyAt) return { outcome: 'running' };
        if (run.ends === 'blackout') return { outcome: 'run-failed', conclusion: 'failure', blackout: true };
        if (run.ends === 'failure') return { outcome: 'run-failed', conclusion: 'failure', blackout: false };
        return { outcome: 'succeeded' };
      }),
  };
  return {
    ...base,
    image,
    render,
    video: { ...base.video, start, status },
    cost: { cost: () => guarded(async () => failure('not-found')) },
  };
}

/** The store as one instance sees it. */
export function outsideStore(real: FileStore, instance: Instance): FileStore {
  return {
    put: (...args) => instance.call(() => real.put(...args)),
    head: (...args) => instance.call(() => real.head(...args)),
    read: (...args) => instance.call(() => real.read(...args)),
    open: (...args) => instance.call(() => real.open(...args)),
    list: (...args) => instance.call(() => real.list(...args)),
    delete: (...args) => instance.call(() => real.delete(...args)),
    sign: (...args) => instance.call(() => real.sign(...args)),
  };
}
