import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GenerationKind, GenerationState } from '#lib/db/generated/tables.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import type { Generation } from '#lib/studio/generation/generation.ts';
import type { Artifact } from '#lib/studio/generation/params.ts';
import { isProviderJob } from '#lib/studio/generation/states.ts';
import { displayedStatus, statusFacts } from '#lib/studio/generation/status.ts';
import type { RenderReport } from '#lib/studio/jobs/render-outcome.ts';
import { decide, type Event } from '#lib/studio/lifecycle/decide.ts';

const NOW = new Date('2026-11-10T12:00:00Z');
const MINUTE = 60_000;
const FILE: Artifact = { pathname: 'generations/gen_1/image-1.png', contentType: 'image/png', bytes: 1 };

const rows: fc.Arbitrary<Generation> = fc
  .record({
    kind: fc.constantFrom(...Object.values(GenerationKind)),
    state: fc.constantFrom(...Object.values(GenerationState)),
    ageMinutes: fc.integer({ min: 0, max: 200 }),
    deadlineMinutes: fc.integer({ min: -100, max: 100 }),
    delivered: fc.boolean(),
    chargePending: fc.boolean(),
    operation: fc.boolean(),
    run: fc.boolean(),
    pendingCostMicros: fc.option(fc.nat(), { nil: undefined }),
  })
  .map((one) => {
    const chargePending = one.chargePending && one.state === 'SUBMITTED';
    return {
      id: 'gen_1',
      kind: one.kind,
      state: one.state,
      code: null,
      params: {
        ...(one.run ? { workflowRunId: '7' } : {}),
        ...(one.pendingCostMicros === undefined ? {} : { pendingCostMicros: one.pendingCostMicros }),
      },
      artifacts: chargePending || (one.delivered && isOpenState(one.state)) ? [FILE] : [],
      chargePending,
      heldMicros: 40_000n,
      providerOperation: one.operation ? '{}' : null,
      createdAt: new Date(NOW.getTime() - one.ageMinutes * MINUTE),
      startedAt: null,
      deadlineAt: new Date(NOW.getTime() + one.deadlineMinutes * MINUTE),
      filesDeletedAt: null,
    } as unknown as Generation;
  });

const report = fc.record({
  generationId: fc.constant('gen_1'),
  runId: fc.constantFrom('7', '8'),
  status: fc.constantFrom('success' as const, 'failure' as const),
  files: fc.constant<RenderReport['files']>([]),
  durationMs: fc.constant(1),
});
const failed = { result: 'failed', code: 'provider-failure' } as const;
const visits: fc.Arbitrary<Event> = fc.oneof(
  fc.constant<Event>({ type: 'visit' }),
  report.map((one): Event => ({ type: 'callback', report: one })),
  fc.constant<Event>({ type: 'outcome', outcome: failed }),
  fc.constant<Event>({ type: 'job-status', status: { outcome: 'pending', warnings: [] } }),
  fc.constantFrom<Event>({ type: 'stored-files', files: [] }, { type: 'stored-files', files: [FILE] }),
  fc.constant<Event>({ type: 'no-answer', reason: 'timeout' }),
);
const closedReserve: Event = { type: 'reserve-closed', reserve: { kind: 'SETTLE', amountMicros: 5n } };
const due = fc
  .constantFrom(
    null,
    { kind: 'SETTLE', amountMicros: 5n } as const,
    { kind: 'REFUND', amountMicros: 0n } as const,
  )
  .map((reserve): Event & { type: 'due' } => ({ type: 'due', reserve }));

describe('what a row becomes', () => {
  it('is nothing more once it is closed, whatever comes', () => {
    fc.assert(
      fc.property(rows, fc.oneof(visits, due), (row, event) => {
        fc.pre(!isOpenState(row.state));
        expect(decide(row, event, NOW).next).toBe('leave');
      }),
    );
  });

  it('is never a failure while its debit waits, and only the sweep writes that debit', () => {
    fc.assert(
      fc.property(rows, fc.oneof(visits, due), (row, event) => {
        fc.pre(row.chargePending);
        const decision = decide(row, event, NOW);
        if (event.type !== 'due') expect(decision.next).toBe('leave');
        else if (event.reserve?.kind !== 'REFUND' && decision.next === 'close')
          expect(['charged', 'charge-due']).toContain(decision.ending.result);
      }),
    );
  });

  it('is what its own request ended with, whatever the clock says', () => {
    fc.assert(
      fc.property(rows, (row) => {
        fc.pre(isOpenState(row.state) && !row.chargePending);
        const decision = decide(row, { type: 'outcome', outcome: failed }, NOW);
        expect(decision).toMatchObject({ next: 'close', reason: 'ended', ending: failed });
      }),
    );
  });

  it('is what the page shows already once its deadline has passed, and no provider is asked', () => {
    fc.assert(
      fc.property(rows, report, (row, one) => {
        const isJob = isProviderJob(row.kind);
        fc.pre(isOpenState(row.state) && (isJob || row.kind === 'RENDER') && row.artifacts.length === 0);
        fc.pre(
          NOW >= row.deadlineAt && one.runId === '7' && row.createdAt.getTime() < NOW.getTime() - MINUTE,
        );
        const decision = decide(row, isJob ? { type: 'visit' } : { type: 'callback', report: one }, NOW);
        expect(decision).toMatchObject({ next: 'close', reason: 'deadline', ending: { result: 'failed' } });
        const { code } = (decision as { ending: { code: string } }).ending;
        const closed = { ...row, state: 'FAILED', code } as Generation;
        expect(displayedStatus(statusFacts(closed), NOW)).toBe(displayedStatus(statusFacts(row), NOW));
      }),
    );
  });

  it('is at the ledger’s amount when the ledger has its debit, and a failure never meets a settled reserve', () => {
    fc.assert(
      fc.property(rows, due, (row, event) => {
        fc.pre(isOpenState(row.state) && event.reserve !== null);
        const decision = decide(row, event, NOW);
        expect(decision).toMatchObject(
          event.reserve?.kind === 'SETTLE'
            ? { next: 'close', ending: { result: 'charged', amountMicros: 5n } }
            : { next: 'close', ending: { result: 'failed', code: 'internal-error' } },
        );
        expect(decide(row, closedReserve, NOW)).toMatchObject({ ending: { result: 'charged' } });
      }),
    );
  });

  it('ends or is left within one question more when the outside is silent', () => {
    let asked = 0;
    fc.assert(
      fc.property(rows, fc.oneof(visits, due), (row, event) => {
        const first = decide(row, event, NOW);
        if (first.next === 'leave' || first.next === 'close') return;
        asked += 1;
        expect(decide(row, { type: 'no-answer', reason: 'timeout' }, NOW)).toEqual({
          next: 'leave',
          because: 'no-answer',
        });
      }),
      // About one row in thirty asks anything.
      { numRuns: 3_000 },
    );
    expect(asked).toBeGreaterThan(0);
  });

  it('of a callback from another run is never anything', () => {
    fc.assert(
      fc.property(rows, report, (row, one) => {
        fc.pre(row.params.workflowRunId !== undefined && one.runId !== row.params.workflowRunId);
        expect(decide(row, { type: 'callback', report: one }, NOW)).toEqual({
          next: 'leave',
          because: 'foreign-run',
        });
      }),
    );
  });
});
