import { createHash, randomUUID } from 'node:crypto';
import { recordedJson } from '../fixtures/recorded-files.ts';
import { jobOf, type RecordedRequest } from '../fixtures/recorded-request.ts';
import {
  decodeState,
  encodeState,
  jsonAnswer,
  type RecordedErrors,
  type ResultState,
  recordedError,
  resultUrl,
  startError,
} from '../fixtures/recorded-results.ts';
import { brokenRule } from '../fixtures/refusal-rule.ts';
import type { Scenario } from '../fixtures/scenarios.ts';
import { costText } from '../gateway/recorded-charge.ts';
import { LIPSYNC_REFUSALS } from './recorded-rules.ts';

type JobState = ResultState & { nonce: string; readyAtMs: number; cost?: string };

type Answers = Record<
  'pending' | 'processing' | 'completed' | 'costs' | 'costsPending' | 'failed' | 'rejected' | 'nonsense',
  Record<string, unknown>
> & { errors: RecordedErrors; refusals: Partial<Record<Scenario, Record<string, unknown>>> };

/** sync.so, from recorded answers. */
export async function answerLipsync(request: RecordedRequest): Promise<Response> {
  const answers = await recordedJson<Answers>('lipsync', 'generate.json');
  const { model = '' } = (request.json ?? {}) as { model?: string };
  const broken = brokenRule(LIPSYNC_REFUSALS, request, model);
  if (broken) {
    const { status: statusCode, says: message, code: errorCode } = broken;
    return jsonAnswer({ statusCode, message, ...(errorCode ? { errorCode } : {}) }, statusCode);
  }
  const { pathname } = request.url;
  if (request.method === 'POST' && pathname === '/v2/generate') return start(request, answers, model);
  const priced = /^\/v2\/generate\/([^/]+)\/costs$/.exec(pathname)?.[1];
  if (priced && request.method === 'GET') return costs(answers, decodeURIComponent(priced));
  const id = /^\/v2\/generate\/([^/]+)$/.exec(pathname)?.[1];
  return id && request.method === 'GET'
    ? status(request, answers, decodeURIComponent(id))
    : recordedError(answers.errors, 'not-found');
}

function start(request: RecordedRequest, answers: Answers, model: string): Response {
  const failed = startError(answers.errors, request.scenario);
  if (failed) return failed;
  if (request.scenario === 'bad-answer') return jsonAnswer(answers.nonsense);
  const key = request.headers.get('idempotency-key');
  const cost = costText(request);
  const state: JobState = {
    nonce: key ? createHash('sha256').update(key).digest('hex').slice(0, 8) : randomUUID().slice(0, 8),
    readyAtMs: request.readyAtMs,
    durationMs: request.facts.outputMs ?? 5_000,
    aspectRatio: request.facts.aspectRatio ?? '9:16',
    audio: true,
    scenario: request.scenario,
    ...(cost === undefined ? {} : { cost }),
  };
  const { input } = request.json as { input: unknown[] };
  const id = jobOf(request, () => encodeState(state));
  return jsonAnswer({ ...answers.pending, id, model, input }, 201);
}

/** What a job cost once it has ended: in its name, as everything of it. */
function costs(answers: Answers, id: string): Response {
  const state = decodeState<JobState>(id);
  if (!state?.readyAtMs) return recordedError(answers.errors, 'not-found');
  return state.cost === undefined
    ? jsonAnswer({ ...answers.costsPending, generationId: id })
    : jsonAnswer({
        ...answers.costs,
        generationId: id,
        totalCostUsd: state.cost,
        knownSubtotalUsd: state.cost,
      });
}

function status(request: RecordedRequest, answers: Answers, id: string): Response {
  const state = decodeState<JobState>(id);
  if (!state?.readyAtMs) return recordedError(answers.errors, 'not-found');
  if (request.nowMs < state.readyAtMs || state.scenario === 'video-never')
    return jsonAnswer({ ...answers.processing, id });
  switch (state.scenario) {
    case 'video-failed':
      return jsonAnswer({ ...answers.failed, id });
    case 'video-cancelled':
    case 'input-unreadable':
    case 'input-too-long':
    case 'no-face':
      return jsonAnswer({ ...answers.rejected, ...answers.refusals[state.scenario], id });
    case 'video-nonsense':
      return jsonAnswer(answers.nonsense);
    default: {
      const { durationMs, aspectRatio, audio, scenario } = state;
      return jsonAnswer({
        ...answers.completed,
        id,
        outputUrl: resultUrl({ durationMs, aspectRatio, audio, scenario }),
        outputDuration: durationMs / 1_000,
      });
    }
  }
}
