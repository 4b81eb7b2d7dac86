import { context, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useApi } from '#tests/setup/api.ts';
import { spanOf, useContextManager } from '#tests/setup/traces/context-manager.ts';
import { useSpans } from '#tests/setup/traces/record-spans.ts';
import { PIXEL } from '#tests/simulation/outside.ts';
import { CLIP, CLIP_MS, driveEverything } from './drive-everything.ts';

const service = useApi({ poolMax: 20 });
const spans = useSpans();

/** The audit actions that the specification names, and what their data must tell. */
const AUDIT_ACTIONS: Record<string, string[]> = {
  'generation.settle_pending': ['costMicros'],
  'generation.close_pending': ['costMicros'],
  'generation.reconciled': ['from', 'costMicros'],
  'generation.submit_pending': ['providerJobId'],
  'generation.charge_missing': ['costMicros'],
  'generation.paid_not_delivered': ['reason'],
  'generation.cost_divergence': ['gatewayCostUsd', 'formulaCostUsd', 'gatewayGenerationId'],
  'generation.files_delete_failed': ['by', 'assetIds', 'pathnames'],
  'generation.files_expired': ['assetIds', 'pathnames'],
  'generation.files_discarded': ['by', 'reason', 'pathnames'],
  'reference.expired': ['pathname'],
  'reference.uploaded': ['via', 'pathname', 'contentType', 'bytes', 'durationMs'],
  'avatar.saved': ['assetId'],
  'avatar.deleted': ['assetId'],
  'product.blobs_purged': [
    'prefix',
    'removedObjects',
    'removedBytes',
    'clearedGenerations',
    'deletedAssets',
    'deletedAvatars',
    'deletedReferences',
    'clearedCaptures',
    'complete',
    'error',
  ],
};

/** Fields that a good entry may leave null: a purge without a fault, an image's duration. */
const MAY_BE_NULL = new Set(['product.blobs_purged error', 'reference.uploaded durationMs']);

/** Of the span around all of it. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const { spanId: SPAN_ID } = spanOf(TRACE_ID).spanContext();

const LOG_EVENTS = [
  'cron.sweep.done',
  'cron.retention.done',
  'cron.rejected',
  'render.callback.rejected',
  'video.webhook.rejected',
  'auth.otp.failed',
];

/** A call of a provider: its mode and capability always, the model where one is called, the cost where the gateway reports one. */
function provider(...also: ('model' | 'gateway_cost_usd')[]): { may: string[]; must: string[] } {
  const named = (names: string[]) => names.map((name) => `provider.${name}`);
  const must = ['mode', 'capability', 'outcome', ...also];
  return { may: named([...must, 'reason']), must: named(must) };
}

/** The spans that the specification names, and the only attributes that each may carry. */
const SPANS: Record<string, { may: string[]; must: string[] }> = {
  'studio.generation': {
    may: ['member.id', 'product.id', 'generation.id', 'generation.kind', 'outcome', 'code'],
    must: ['member.id', 'product.id', 'generation.kind', 'outcome'],
  },
  'studio.provider.image': provider('model', 'gateway_cost_usd'),
  'studio.provider.vector': provider('model', 'gateway_cost_usd'),
  'studio.provider.voice': provider('model'),
  'studio.provider.voice.describe': provider(),
  'studio.provider.video.start': provider('model'),
  'studio.provider.video.status': provider('model', 'gateway_cost_usd'),
  'studio.provider.lipsync.start': provider('model'),
  'studio.provider.lipsync.status': provider(),
  'studio.provider.render.dispatch': provider(),
  'studio.provider.render.status': provider(),
  'studio.video.settle': {
    may: ['generation.id', 'generation.kind', 'trigger', 'outcome', 'code'],
    must: ['generation.id', 'generation.kind', 'trigger', 'outcome'],
  },
  'studio.render.launch': { may: ['generation.id', 'outcome', 'code'], must: ['outcome'] },
  'studio.render.callback': { may: ['generation.id', 'outcome', 'code'], must: ['outcome'] },
  'studio.sweep': {
    may: ['settled', 'reconciled', 'errors', 'outcome'],
    must: ['settled', 'reconciled', 'errors'],
  },
  'studio.retention': { may: ['settled', 'errors', 'outcome'], must: ['errors', 'outcome'] },
};

const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  useContextManager();
  // As where spans are kept: one is under way around all of it.
  const around = trace.setSpan(context.active(), spanOf(TRACE_ID));
  await context.with(around, () => driveEverything({ service, lines }));
});
afterAll(() => {
  context.disable();
  vi.restoreAllMocks();
});

describe('what the specification lists', () => {
  it.each(Object.entries(AUDIT_ACTIONS))(
    'the audit action %s is written, with %j',
    async (action, fields) => {
      const entries = await service.db.auditEntry.findMany({ where: { action } });
      expect(entries.length).toBeGreaterThan(0);
      for (const { data } of entries)
        for (const field of fields) {
          const value = (data as Record<string, unknown>)[field];
          if (!MAY_BE_NULL.has(`${action} ${field}`)) expect(value ?? null, field).not.toBeNull();
          else expect(data).toHaveProperty([field]);
        }
    },
  );

  it.each(['settle_pending', 'close_pending', 'charge_missing'])(
    'generation.%s tells the amount that waits or is missing, the one of its row',
    async (name) => {
      const entries = await service.db.auditEntry.findMany({ where: { action: `generation.${name}` } });
      expect(entries.length).toBeGreaterThan(0);
      for (const { subjectId, data } of entries) {
        const row = await service.db.generation.findUniqueOrThrow({ where: { id: subjectId ?? '' } });
        const { costMicros } = data as { costMicros: string };
        expect(costMicros).toMatch(/^[1-9]\d*$/);
        // Nothing was debited of a row whose reserve nobody found.
        if (name === 'charge_missing') expect(row.costMicros).toBeNull();
        else expect(row.costMicros).toBe(BigInt(costMicros));
      }
    },
  );

  it('an upload says how it came and how long it lasts, measured: a clip its duration, an image none', async () => {
    const entries = await service.db.auditEntry.findMany({ where: { action: 'reference.uploaded' } });
    type Said = { via: string; contentType: string; bytes: number; durationMs: number | null };
    const said = new Map(entries.map(({ data }) => [(data as Said).via, data as Said]));
    expect(said.get('server')).toMatchObject({
      contentType: 'image/png',
      bytes: PIXEL.length,
      durationMs: null,
    });
    for (const via of ['client', 'confirm'])
      expect(said.get(via)).toMatchObject({
        contentType: 'video/mp4',
        bytes: CLIP.length,
        durationMs: CLIP_MS,
      });
  });

  it('reconciliations say what they were made from: the settle line, the pending cost', async () => {
    const entries = await service.db.auditEntry.findMany({ where: { action: 'generation.reconciled' } });
    const origins = new Set(entries.map(({ data }) => (data as { from?: string }).from));
    expect([...origins].sort()).toEqual(expect.arrayContaining(['pending-cost', 'settle-line']));
  });

  it.each(LOG_EVENTS)('the log event %s is one JSON line with traceId and spanId', (event) => {
    const found = lines.filter((line) => line.event === event);
    expect(found.length).toBeGreaterThan(0);
    for (const line of found) expect(line).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID });
  });

  it.each(Object.entries(SPANS))(
    'the span %s is left, ended, with its own attributes and no other',
    (name, { may, must }) => {
      const found = spans.filter((span) => span.name === name);
      expect(found.length).toBeGreaterThan(0);
      for (const span of found) {
        const attributes = Object.keys(span.attributes).map((key) => key.replace(/^studio\./, ''));
        expect(span.ended).toBe(true);
        expect(attributes.filter((one) => !may.includes(one))).toEqual([]);
        expect(attributes).toEqual(expect.arrayContaining(must));
      }
    },
  );

  it('every span of a provider call says the capability that names it and its mode, and no span is left unlisted', () => {
    expect(spans.filter(({ name }) => !SPANS[name]).map(({ name }) => name)).toEqual([]);
    const calls = spans.filter(({ name }) => name.startsWith('studio.provider.'));
    expect(calls).not.toEqual([]);
    for (const { name, attributes } of calls) {
      expect(attributes['studio.provider.capability']).toBe(name.slice('studio.provider.'.length));
      expect(attributes['studio.provider.mode']).toBe('fixtures');
    }
  });

  it('a span tells the cost that the gateway reported: the one that a divergence is audited with', async () => {
    const [entry] = await service.db.auditEntry.findMany({ where: { action: 'generation.cost_divergence' } });
    const { gatewayCostUsd, formulaCostUsd } = (entry?.data ?? {}) as Record<string, number>;
    const costs = spans.map(({ attributes }) => attributes['studio.provider.gateway_cost_usd']);
    expect(gatewayCostUsd).toBeGreaterThan(0);
    expect(costs).toContain(gatewayCostUsd);
    expect(gatewayCostUsd).not.toBe(formulaCostUsd);
  });
});
