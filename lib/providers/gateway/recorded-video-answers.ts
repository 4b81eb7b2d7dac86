import { createHash, randomUUID } from 'node:crypto';
import { recordedJson } from '../fixtures/recorded-files.ts';
import { jobOf, type RecordedRequest } from '../fixtures/recorded-request.ts';
import {
  decodeState,
  encodeState,
  jsonAnswer,
  type ResultState,
  resultBytes,
  resultUrl,
} from '../fixtures/recorded-results.ts';
import { costText, generationId } from './recorded-charge.ts';

/** The whole state of a recorded job, encoded in its operation: no instance has to remember it. */
type JobState = ResultState & {
  jobId: string;
  readyAtMs: number;
  cost?: string;
  generationId: string;
  outputTokens?: number;
};

type Answer = {
  providerMetadata: { gateway: Record<string, unknown>; bytedance?: unknown };
  warnings?: unknown[];
  videos?: unknown[];
  operation?: unknown;
};
type Answers = Record<'start' | 'pending' | 'completed' | 'error' | 'cancelled' | 'nonsense', Answer> & {
  settingDropped: unknown[];
  endFrameDropped: unknown[];
  referenceDropped: unknown[];
};

/** `video-model/start` and `video-model/status`, from recorded answers. */
export async function answerVideo(request: RecordedRequest): Promise<Response> {
  const answers = await recordedJson<Answers>('gateway', 'video-model.json');
  return request.url.pathname.endsWith('/start') ? start(request, answers) : status(request, answers);
}

/** The secret with which the recorded gateway would sign the callbacks of a job. */
export function recordedWebhookSecret(jobId: string): string {
  return `whsec_${createHash('sha256').update(`recorded ${jobId}`).digest('hex')}`;
}

function start(request: RecordedRequest, answers: Answers): Response {
  const { scenario } = request;
  const key = request.headers.get('idempotency-key') ?? randomUUID();
  // Under one key a repeat is the first start's job: its time, its generation and its price.
  const token = jobOf(request, () => newJob(request, key));
  const { jobId, generationId: named } = decodeState<JobState>(token) as JobState;
  const answer = answers.start;
  answer.operation = { id: jobId, token };
  if (scenario === 'setting-dropped') answer.warnings = answers.settingDropped;
  if (scenario === 'end-frame-dropped') answer.warnings = answers.endFrameDropped;
  if (scenario === 'reference-dropped') answer.warnings = answers.referenceDropped;
  const { gateway } = answer.providerMetadata;
  gateway.generationId = named;
  const callback = (request.json as { callbackUrl?: string }).callbackUrl;
  gateway.asyncJob = {
    jobId,
    status: 'queued',
    ...(callback ? { webhookSigningSecret: recordedWebhookSecret(jobId) } : {}),
  };
  return jsonAnswer(answer);
}

/** A job that begins now, as the word that its operation carries. */
function newJob(request: RecordedRequest, key: string): string {
  const { scenario, facts } = request;
  const cost = costText(request);
  const outputTokens = facts.outputTokens?.();
  const state: JobState = {
    jobId: `job_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`,
    scenario,
    readyAtMs: request.readyAtMs,
    durationMs: facts.outputMs ?? 5_000,
    aspectRatio: facts.aspectRatio ?? '16:9',
    audio: facts.audio ?? true,
    generationId: generationId(cost),
    ...(cost === undefined ? {} : { cost }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
  return encodeState(state);
}

async function status(request: RecordedRequest, answers: Answers): Promise<Response> {
  const { operation } = request.json as { operation?: { token?: string } };
  const state = decodeState<JobState>(operation?.token ?? '');
  if (!state?.jobId)
    return jsonAnswer({ error: { message: 'Operation not found', type: 'not_found', param: null } }, 404);
  const ready = request.nowMs >= state.readyAtMs && state.scenario !== 'video-never';
  const name = !ready
    ? 'pending'
    : state.scenario === 'video-failed'
      ? 'error'
      : state.scenario === 'video-cancelled'
        ? 'cancelled'
        : state.scenario === 'video-nonsense'
          ? 'nonsense'
          : 'completed';
  const answer = answers[name];
  if (name === 'nonsense') return jsonAnswer(answer);
  answer.providerMetadata.gateway.generationId = state.generationId;
  if (name === 'completed') {
    if (state.cost === undefined) delete answer.providerMetadata.gateway.cost;
    else answer.providerMetadata.gateway.cost = state.cost;
    if (state.outputTokens !== undefined)
      answer.providerMetadata.bytedance = {
        taskId: state.jobId,
        usage: { completion_tokens: state.outputTokens },
      };
    answer.videos = [await fileOf(state)];
  }
  return jsonAnswer(answer);
}

async function fileOf(state: JobState): Promise<Record<string, string>> {
  const mediaType = 'video/mp4';
  if (state.scenario === 'private-url' || state.scenario === 'url-file') {
    const { durationMs, aspectRatio, audio, scenario } = state;
    return { type: 'url', url: resultUrl({ durationMs, aspectRatio, audio, scenario }), mediaType };
  }
  return { type: 'base64', data: Buffer.from(await resultBytes(state)).toString('base64'), mediaType };
}
