import { createHash } from 'node:crypto';
import { put } from '@vercel/blob/client';
import { ServiceError } from '#lib/core/errors.ts';
import { storable } from '#lib/core/input/storable-text.ts';
import { readCapped, TooManyBytes } from '#lib/core/net/read-capped.ts';
import { drawTemplate } from '../templates/draw.ts';
import { MAX_PHOTO_BYTES, PhotoError } from '../templates/drawing/images.ts';
import {
  type RenderCallback,
  type RenderedFile,
  type RenderFailureCode,
  type RenderJob,
  readRenderInputs,
} from './render-job.ts';
import { signCallback, splitSecrets } from './render-signature.ts';
import { sheetOrigin } from './sheet-origin.ts';

/** Exit codes of the runner: what the CI shows, and what the embedded runner's status is read from. */
export const EXIT = { done: 0, renderFailed: 1, inputsInvalid: 2, notCalledBack: 3 } as const;

type RunEnvironment = {
  inputs: unknown;
  runId: string;
  /** Counts the re-runs of one run; part of the message's id. */
  runAttempt: string;
  callbackSecret: string | undefined;
  fetch: typeof fetch;
  now: () => Date;
  sleep: (ms: number) => Promise<void>;
  log: (event: string, fields?: Record<string, string | number>) => void;
};

const IMAGE_TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;
const CALLBACK_TIMEOUT_MS = 20_000;
/** Waits before each new try; a callback may arrive before the launch has recorded the run. */
const CALLBACK_WAITS_MS = [1_000, 3_000, 9_000, 20_000, 40_000];

class RenderFailure extends Error {
  readonly code: RenderFailureCode;
  constructor(code: RenderFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Reads one image: no redirect, 20 s in all, 8 MB counted on the decoded stream. */
async function readImage(url: string, run: RunEnvironment): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(IMAGE_TIMEOUT_MS);
  const response = await run.fetch(url, { redirect: 'error', signal });
  if (!response.ok || !response.body) throw new PhotoError(`image answered ${response.status}`);
  return readCapped(response.body, MAX_PHOTO_BYTES).catch((error: unknown) => {
    throw error instanceof TooManyBytes ? new PhotoError('image larger than 8 MB') : error;
  });
}

async function readImages(job: RenderJob, run: RunEnvironment): Promise<Record<string, Uint8Array>> {
  const images: Record<string, Uint8Array> = {};
  for (const [reference, url] of Object.entries(job.images)) {
    try {
      images[reference] = await readImage(url, run);
    } catch (error) {
      const message = error instanceof PhotoError ? error.message : 'image could not be read';
      throw new RenderFailure('image-unreadable', message, error);
    }
  }
  return images;
}

async function upload(job: RenderJob, file: { name: string; bytes: Buffer }): Promise<RenderedFile> {
  const token = job.uploads[file.name];
  if (!token) throw new RenderFailure('upload-refused', `no upload token for ${file.name}`);
  const published: RenderedFile = {
    pathname: job.folder + file.name,
    bytes: file.bytes.byteLength,
    contentType: 'image/png',
    sha256: createHash('sha256').update(file.bytes).digest('hex'),
  };
  if (token.startsWith('http')) {
    await writeAt(token, file.bytes);
    return { ...published, url: token.split('?', 1)[0] as string };
  }
  try {
    const { url } = await put(published.pathname, file.bytes, {
      access: 'private',
      token,
      contentType: 'image/png',
      abortSignal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    return { ...published, url };
  } catch (error) {
    // Only this run's token opens this pathname: the file is there because an answer was lost on the way.
    if (error instanceof Error && /already exists/i.test(error.message)) return published;
    throw new RenderFailure(
      'upload-refused',
      error instanceof Error ? error.message : 'upload failed',
      error,
    );
  }
}

/** To the signed address of a bucket, with the headers that its signature holds (`FileStore.grantWrite`). */
async function writeAt(url: string, bytes: Buffer): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    redirect: 'error',
    headers: {
      'content-type': 'image/png',
      // The address says which headers its signature holds.
      ...(url.includes('if-none-match') ? { 'if-none-match': '*' } : {}),
    },
    body: new Uint8Array(bytes),
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new RenderFailure('upload-refused', 'the store did not answer', error);
  });
  await answer.body?.cancel();
  // 412: only this run's address opens this pathname, so an answer was lost on the way.
  if (!answer.ok && answer.status !== 412)
    throw new RenderFailure('upload-refused', `the store answered ${answer.status}`);
}

function failureOf(error: unknown): RenderFailure {
  if (error instanceof RenderFailure) return error;
  if (error instanceof PhotoError) return new RenderFailure('image-unreadable', error.message, error);
  if (error instanceof ServiceError) {
    const fields =
      error.options.problems?.map(({ field }) => field).join(', ') ?? error.options.detail ?? error.code;
    return new RenderFailure('fields-invalid', `refused: ${fields}`, error);
  }
  return new RenderFailure('draw-failed', error instanceof Error ? error.message : 'unknown failure', error);
}

/** Sends the verdict until it is accepted, refused for good (4xx), or out of tries. Same id each time, fresh timestamp. */
async function callBack(job: RenderJob, body: string, secret: string, run: RunEnvironment): Promise<boolean> {
  const id = `msg_render_${run.runId}_${run.runAttempt}`;
  for (const [attempt, waitMs] of [0, ...CALLBACK_WAITS_MS].entries()) {
    if (waitMs) await run.sleep(waitMs);
    try {
      const response = await run.fetch(job.callbackUrl, {
        method: 'POST',
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...signCallback(body, { id, secret, sentAt: run.now() }),
        },
        body,
        signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS),
      });
      await response.body?.cancel();
      run.log('callback.answered', { status: response.status, attempt: attempt + 1 });
      if (response.ok) return true;
      const passing = response.status >= 500 || response.status === 408 || response.status === 429;
      if (!passing) return false;
    } catch (error) {
      run.log('callback.unreachable', {
        attempt: attempt + 1,
        error: error instanceof Error ? error.name : 'Error',
      });
    }
  }
  return false;
}

/**
 * The whole outside job: reads the run's inputs, draws, publishes each file with its own token, and calls back signed, success
 * or not. Returns an exit code of `EXIT`. Logs counts and statuses only: no token, secret, address or field.
 */
export async function runRender(run: RunEnvironment): Promise<number> {
  const startedAt = run.now();
  let job: RenderJob;
  const secret = splitSecrets(run.callbackSecret)[0];
  try {
    job = readRenderInputs(run.inputs);
    if (!secret) throw new TypeError('CALLBACK_SECRET is not set');
    signCallback('', { id: 'probe', secret, sentAt: startedAt });
  } catch (error) {
    run.log('render.refused', { error: error instanceof Error ? error.message : 'unknown' });
    return EXIT.inputsInvalid;
  }
  if (job.storeApiUrl) process.env.VERCEL_BLOB_API_URL = job.storeApiUrl;
  process.env.VERCEL_BLOB_RETRIES ??= '3';
  run.log('render.started', { template: job.templateId, size: job.sizeId });

  const files: RenderedFile[] = [];
  let failure: RenderFailure | undefined;
  try {
    const images = await readImages(job, run);
    const drawn = await drawTemplate(job.templateId, job.fields, {
      size: job.sizeId,
      brand: job.brand,
      images,
    });
    run.log('render.drawn', { files: drawn.length });
    for (const { name, bytes } of drawn) {
      const file = { name, bytes: sheetOrigin(bytes, Object.values(images)) };
      files.push(await upload(job, file));
      run.log('render.uploaded', { file: file.name, bytes: file.bytes.byteLength });
    }
  } catch (error) {
    failure = failureOf(error);
    run.log('render.failed', { code: failure.code });
  }
  const finishedAt = run.now();
  const callback: RenderCallback = {
    type: failure ? 'render.failed' : 'render.finished',
    generationId: job.generationId,
    runId: run.runId,
    status: failure ? 'failure' : 'success',
    files,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    durationMs: finishedAt.getTime() - startedAt.getTime(),
    ...(failure && { error: { code: failure.code, message: storable(failure.message.slice(0, 500)) } }),
  };
  const accepted = await callBack(job, JSON.stringify(callback), secret as string, run);
  if (!accepted) return EXIT.notCalledBack;
  return failure ? EXIT.renderFailed : EXIT.done;
}
