import { describe, expect, it } from 'vitest';
import { generation as sentences } from '#lib/messages/studio.ts';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import type { Generation } from '#lib/studio/generation/generation.ts';
import type { Outcome } from '#lib/studio/generation/outcome.ts';
import type { Artifact } from '#lib/studio/generation/params.ts';
import type { RenderReport } from '#lib/studio/jobs/render-outcome.ts';
import { type Decision, decide, type Event, MAX_EFFECTS } from '#lib/studio/lifecycle/decide.ts';
import type { Effect } from '#lib/studio/lifecycle/run-effect.ts';

const NOW = new Date('2026-11-10T12:00:00Z');
const MINUTE = 60_000;
/** The times of S-157 to S-161 as figures: a limit that changes must be changed here too. */
const SETTLE_AFTER = 15 * MINUTE;
const ADOPT_AFTER = 45_000;
const FILE: Artifact = { pathname: 'generations/gen_1/image-1.png', contentType: 'image/png', bytes: 1 };

type Facts = {
  kind?: Generation['kind'];
  state?: Generation['state'];
  /** How long ago it began, in milliseconds; `created` if it has not started. */
  age?: number;
  created?: number;
  /** Milliseconds until its deadline; negative once it has passed. */
  left?: number;
  files?: Artifact[];
  chargePending?: boolean;
  operation?: string;
  params?: Record<string, unknown>;
  held?: bigint;
};
const row = (one: Facts = {}) =>
  ({
    id: 'gen_1',
    kind: one.kind ?? 'VIDEO',
    state: one.state ?? 'SUBMITTED',
    code: null,
    params: one.params ?? {},
    artifacts: one.files ?? [],
    chargePending: one.chargePending ?? false,
    heldMicros: one.held ?? 40_000n,
    providerOperation: one.operation ?? null,
    createdAt: new Date(NOW.getTime() - (one.created ?? one.age ?? 0)),
    startedAt: one.age === undefined ? null : new Date(NOW.getTime() - one.age),
    deadlineAt: new Date(NOW.getTime() + (one.left ?? MINUTE)),
    filesDeletedAt: null,
  }) as unknown as Generation;

const due: Event = { type: 'due', reserve: null };
const visit: Event = { type: 'visit' };
const stored = (...files: Artifact[]): Event => ({ type: 'stored-files', files });
const callback = (runId = '7'): Event & { report: RenderReport } => ({
  type: 'callback',
  report: { generationId: 'gen_1', runId, status: 'success', files: [], durationMs: 1 },
});
const interrupted = {
  result: 'failed',
  code: 'internal-error',
  message: sentences.interrupted,
  errorMessage: 'the process that ran it is gone',
} as const;
const leave = (because: string) => ({ next: 'leave', because }) as Decision;
const close = (reason: string, ending: object, discard?: string) =>
  ({ next: 'close', reason, ending, ...(discard === undefined ? {} : { discard }) }) as Decision;
const debit = (costMicros: bigint, artifacts: Artifact[], from = 'estimate') =>
  close('charge-due', { result: 'charge-due', costMicros, from, artifacts });
const videoTimeout = close('deadline', { result: 'failed', code: 'video_timeout' });
const noCallback = close('deadline', { result: 'failed', code: 'no-callback' });

const expectEach = (cases: readonly (readonly [string, Facts, Event, Decision])[]) =>
  it.each(cases)('%s', (_, facts, event, decision) => {
    expect(decide(row(facts), event, NOW)).toStrictEqual(decision);
  });

describe('a row that somebody looks at', () => {
  expectEach([
    ['asks its provider before its deadline', { left: 1 }, visit, { next: 'ask-provider' }],
    ['has timed out at its deadline, to the millisecond', { left: 0 }, visit, videoTimeout],
    [
      'has timed out as a render that nobody called back',
      { kind: 'RENDER', left: 0 },
      callback(),
      noCallback,
    ],
    ['is never late once it has a file', { left: -1, files: [FILE] }, visit, { next: 'ask-provider' }],
    ['waits for the sweep to write its debit', { chargePending: true }, visit, leave('charge-pending')],
    [
      'waits for the sweep to write its debit, whoever calls back',
      { kind: 'RENDER', chargePending: true },
      callback(),
      leave('charge-pending'),
    ],
    ['is closed for good', { state: 'COMPLETED' }, visit, leave('closed')],
    ['stays when nobody answered', {}, { type: 'no-answer', reason: 'timeout' }, leave('no-answer')],
  ]);
});

describe('a row that the sweep takes up', () => {
  const old = SETTLE_AFTER;
  const young = SETTLE_AFTER - 1;
  expectEach([
    [
      'pending debit, young',
      { chargePending: true, files: [FILE], age: young, params: { pendingCostMicros: 9 } },
      due,
      leave('not-due'),
    ],
    [
      'pending debit, measured',
      { chargePending: true, files: [FILE], age: old, params: { pendingCostMicros: 9 } },
      due,
      debit(9n, [FILE], 'pending-cost'),
    ],
    [
      'pending debit of nothing: nothing is debited, and not what was held',
      { chargePending: true, files: [FILE], age: old, params: { pendingCostMicros: 0 } },
      due,
      debit(0n, [FILE], 'pending-cost'),
    ],
    [
      'pending debit, cost unknown: what was held',
      { chargePending: true, files: [FILE], age: old },
      due,
      debit(40_000n, [FILE]),
    ],
    [
      'pending debit, cost unknown, the dearer model did not run: what the one that ran costs',
      { chargePending: true, files: [FILE], age: old, params: { expectedMicros: 7 } },
      due,
      debit(7n, [FILE]),
    ],
    [
      'pending debit, never more than was held',
      { chargePending: true, files: [FILE], age: old, params: { expectedMicros: 40_001 } },
      due,
      debit(40_000n, [FILE]),
    ],
    ['job that its provider knows', { operation: '{}', age: old }, due, { next: 'ask-provider' }],
    ['job that its provider knows, past its deadline', { operation: '{}', left: 0 }, due, videoTimeout],
    ['job whose submission may be under way', { age: young }, due, leave('running')],
    [
      'job that no provider ever took',
      { age: old },
      due,
      close('ended', { result: 'failed', code: 'orphaned' }),
    ],
    [
      'job whose age is counted from its start, not from its creation',
      { age: young, created: 10 * old },
      due,
      leave('running'),
    ],
    [
      'lips, a job of a provider as a film is',
      { kind: 'LIPSYNC', operation: '{}' },
      due,
      { next: 'ask-provider' },
    ],
    [
      'render whose run is known',
      { kind: 'RENDER', params: { workflowRunId: '7' }, age: old },
      due,
      { next: 'ask-runner', runId: '7' },
    ],
    ['render whose run is not known yet', { kind: 'RENDER', age: old }, due, leave('running')],
    [
      'render past its time: what it left in the store decides',
      { kind: 'RENDER', left: 0, params: { workflowRunId: '7' } },
      due,
      { next: 'search-store' },
    ],
    ['image, young', { kind: 'IMAGE', age: young }, due, leave('not-due')],
    ['image without a file on its row', { kind: 'IMAGE', age: old }, due, { next: 'search-store' }],
    [
      'image whose file is on its row',
      { kind: 'IMAGE', age: old, files: [FILE] },
      due,
      debit(40_000n, [FILE]),
    ],
    ['closed meanwhile', { state: 'FAILED', age: old }, due, leave('closed')],
    [
      'reserve debited',
      { age: old },
      { type: 'due', reserve: { kind: 'SETTLE', amountMicros: 5n } },
      close('reserve-closed', { result: 'charged', amountMicros: 5n }),
    ],
    [
      'reserve given back',
      { age: old },
      { type: 'due', reserve: { kind: 'REFUND', amountMicros: 0n } },
      close('reserve-closed', interrupted),
    ],
  ]);
});

describe('what the store holds of a row that nobody ended', () => {
  expectEach([
    ['image: its file is debited', { kind: 'IMAGE' }, stored(FILE, FILE), debit(40_000n, [FILE, FILE])],
    ['image: nothing is there', { kind: 'IMAGE' }, stored(), close('abandoned', interrupted)],
    ['render: nothing is there', { kind: 'RENDER', left: 0 }, stored(), noCallback],
    [
      'render: it published, and never called back',
      { kind: 'RENDER', left: 0 },
      stored(FILE),
      close('deadline', { result: 'failed', code: 'no-callback', message: sentences.noCallbackPublished }),
    ],
  ]);
});

describe('what the ledger has closed', () => {
  expectEach([
    [
      'debited',
      { state: 'STARTING' },
      { type: 'reserve-closed', reserve: { kind: 'SETTLE', amountMicros: 3n } },
      close('reserve-closed', { result: 'charged', amountMicros: 3n }),
    ],
    [
      'debited, though its debit was said to wait',
      { chargePending: true },
      { type: 'reserve-closed', reserve: { kind: 'SETTLE', amountMicros: 3n } },
      close('reserve-closed', { result: 'charged', amountMicros: 3n }),
    ],
    [
      'given back',
      {},
      { type: 'reserve-closed', reserve: { kind: 'REFUND', amountMicros: 0n } },
      close('reserve-closed', interrupted),
    ],
  ]);
});

describe('a signed callback', () => {
  const run = { kind: 'RENDER', params: { workflowRunId: '7' } } as const;
  const { report } = callback();
  expectEach([
    ['of its run is read', { ...run, age: MINUTE }, callback(), { next: 'read-run', report }],
    ['of another run is none of its business', run, callback('8'), leave('foreign-run')],
    [
      'of another run, once it is closed',
      { ...run, state: 'COMPLETED' },
      callback('8'),
      leave('foreign-run'),
    ],
    ['of its run, once it is closed', { ...run, state: 'COMPLETED' }, callback(), leave('closed')],
    [
      'while the launch may still be writing the run',
      { kind: 'RENDER', state: 'STARTING', age: ADOPT_AFTER - 1 },
      callback(),
      leave('starting'),
    ],
    [
      'once the launch is surely dead: its run is adopted',
      { kind: 'RENDER', state: 'STARTING', age: ADOPT_AFTER },
      callback(),
      { next: 'read-run', report },
    ],
    [
      'of a run that is submitted waits for nothing',
      { kind: 'RENDER', age: 0 },
      callback(),
      { next: 'read-run', report },
    ],
  ]);
});

describe('what was asked for comes back', () => {
  const delivered: Outcome = { result: 'delivered', files: [], cost: { formulaMicros: 1n } };
  const failed = { result: 'failed', code: 'provider-failure' } as const;
  const completed = { outcome: 'completed', file: { url: 'https://files.test/1' } } as never;
  expectEach([
    ['the request’s own work', {}, { type: 'outcome', outcome: delivered }, close('ended', delivered)],
    ['the job’s file', {}, { type: 'job-outcome', outcome: failed }, close('ended', failed)],
    ['the run’s files', {}, { type: 'run-outcome', outcome: delivered }, close('ended', delivered)],
    [
      'the job’s file, once its time ran out while it was fetched: whoever looked was told that it is refunded',
      { left: 0 },
      { type: 'job-outcome', outcome: delivered },
      videoTimeout,
    ],
    [
      'the run’s files, once its time ran out while they were read',
      { kind: 'RENDER', left: 0 },
      { type: 'run-outcome', outcome: delivered },
      close('deadline', { result: 'failed', code: 'no-callback', message: sentences.noCallbackPublished }),
    ],
    [
      'a run that failed, once its time ran out while its files were read: its status does not go back',
      { kind: 'RENDER', left: 0 },
      { type: 'run-outcome', outcome: failed },
      noCallback,
    ],
    [
      'a run that failed, once its time ran out while the CI was asked',
      { kind: 'RENDER', left: 0 },
      {
        type: 'run-status',
        runId: '7',
        status: { outcome: 'run-failed', conclusion: 'failure', blackout: true } as never,
      },
      noCallback,
    ],
    [
      'a run that goes on, once its time ran out while the CI was asked: the sweep finds what it published',
      { kind: 'RENDER', left: 0 },
      { type: 'run-status', runId: '7', status: { outcome: 'running' } as never },
      leave('running'),
    ],
    [
      'a finished job, once its time ran out while its provider was asked',
      { left: 0 },
      { type: 'job-status', status: completed },
      videoTimeout,
    ],
    [
      'a job that goes on, once its time ran out while its provider was asked',
      { left: 0 },
      { type: 'job-status', status: { outcome: 'pending', warnings: [] } },
      leave('running'),
    ],
    [
      'a run that failed: what it published goes, for the reason that was kept',
      {},
      { type: 'run-outcome', outcome: { ...failed, errorMessage: 'no frame' } },
      close('ended', { ...failed, errorMessage: 'no frame' }, 'no frame'),
    ],
    [
      'a run that failed without a word: its code is the reason',
      {},
      { type: 'run-outcome', outcome: failed },
      close('ended', failed, 'provider-failure'),
    ],
    [
      'a job that goes on',
      {},
      { type: 'job-status', status: { outcome: 'pending', warnings: [] } },
      leave('running'),
    ],
    [
      'a provider that gave no status',
      {},
      { type: 'job-status', status: { outcome: 'failed' } as never },
      leave('no-answer'),
    ],
    [
      'a job that its provider ended',
      {},
      {
        type: 'job-status',
        status: { outcome: 'job-failed', reason: 'content-refused', detail: 'x', paid: false } as never,
      },
      close('ended', {
        result: 'failed',
        code: 'provider-failure',
        errorMessage: 'content-refused: x',
        message: sentences.contentRefused,
      }),
    ],
    [
      'a finished job',
      {},
      { type: 'job-status', status: completed },
      { next: 'fetch-result', status: completed },
    ],
    [
      'a runner that does not answer',
      {},
      { type: 'run-status', runId: '7', status: { outcome: 'failed' } as never },
      leave('no-answer'),
    ],
    [
      'a run that goes on',
      {},
      { type: 'run-status', runId: '7', status: { outcome: 'running' } as never },
      leave('running'),
    ],
    [
      'a run that failed',
      {},
      {
        type: 'run-status',
        runId: '7',
        status: { outcome: 'run-failed', conclusion: 'cancelled', blackout: false } as never,
      },
      close(
        'ended',
        {
          result: 'failed',
          code: 'provider-failure',
          message: sentences.renderFailed,
          errorMessage: 'run 7: cancelled',
        },
        'run cancelled',
      ),
    ],
    [
      'a run of which not a step began: the minutes are used up, nobody’s fault',
      {},
      {
        type: 'run-status',
        runId: '7',
        status: { outcome: 'run-failed', conclusion: 'failure', blackout: true } as never,
      },
      close(
        'ended',
        { result: 'failed', code: 'quota', errorMessage: 'run 7: failure, no step' },
        'run failure',
      ),
    ],
  ]);
});

describe('a row that somebody comes to', () => {
  const failed: ProviderFailure = {
    outcome: 'failed',
    reason: 'timeout',
    retrySafe: 'unknown',
    detail: '',
    attempts: 1,
    elapsedMs: 1,
  };
  const URL_FILE = { kind: 'url', url: 'https://files.example/a.mp4' } as const;
  const outcomes: Outcome[] = [
    { result: 'failed', code: 'internal-error' },
    { result: 'delivered', files: [], cost: { formulaMicros: 1n } },
  ];
  const noAnswer: Event = { type: 'no-answer', reason: 'none' };
  /** Every event that may follow an effect. */
  const answersTo: { [K in Effect['next']]: Event[] } = {
    'ask-provider': [
      { type: 'job-status', status: failed },
      { type: 'job-status', status: { outcome: 'pending', warnings: [] } },
      { type: 'job-status', status: { outcome: 'job-failed', reason: 'cancelled', detail: '' } },
      { type: 'job-status', status: { outcome: 'completed', file: URL_FILE } },
    ],
    'fetch-result': [noAnswer, ...outcomes.map((outcome): Event => ({ type: 'job-outcome', outcome }))],
    'ask-runner': [
      { type: 'run-status', runId: '7', status: failed },
      { type: 'run-status', runId: '7', status: { outcome: 'running' } },
      {
        type: 'run-status',
        runId: '7',
        status: { outcome: 'run-failed', conclusion: 'failure', blackout: false },
      },
    ],
    'read-run': [noAnswer, ...outcomes.map((outcome): Event => ({ type: 'run-outcome', outcome }))],
    'search-store': [stored(), stored(FILE)],
  };
  /** The number of effects on the longest path from here. A cycle would never end, so the path is cut past the limit. */
  const longest = (facts: Facts, event: Event, taken = 0): number => {
    const decision = decide(row(facts), event, NOW);
    if (decision.next === 'leave' || decision.next === 'close' || taken > MAX_EFFECTS) return taken;
    return Math.max(...answersTo[decision.next].map((answer) => longest(facts, answer, taken + 1)));
  };

  it('is closed or left after two questions to the outside at most, whatever it is and whatever they answer', () => {
    const found: number[] = [];
    const told: Facts[] = [{}, { operation: '{}' }, { params: { workflowRunId: '7' } }, { files: [FILE] }];
    for (const kind of ['VIDEO', 'LIPSYNC', 'RENDER', 'IMAGE', 'VOICE'] as const)
      for (const state of ['STARTING', 'SUBMITTED', 'COMPLETED', 'FAILED'] as const)
        for (const age of [0, 16 * MINUTE])
          for (const left of [MINUTE, -MINUTE])
            for (const more of told)
              for (const event of [visit, due, callback()])
                found.push(longest({ kind, state, age, left, ...more }, event));
    expect(Math.max(...found)).toBe(MAX_EFFECTS);
  });
});
