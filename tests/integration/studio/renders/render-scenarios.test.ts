import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withScenario } from '#lib/http/runtime/scenario.ts';
import type { LocalRunner } from '#lib/http/runtime/studio.ts';
import { createEmbeddedRenderRunner } from '#lib/local/render/runner.ts';
import type { DevScenario } from '#lib/studio/dev-scenario.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useApi } from '#tests/setup/api.ts';
import { until } from '#tests/setup/until.ts';

const service = useApi();
const template = findTemplate('quote-card');
if (!template) throw new Error('quote-card is gone');
const RENDER = {
  kind: 'render',
  template: template.id,
  size: template.sizes[0]?.id,
  fields: exampleFields(template),
};

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'atelier-scenarios-'));
  process.env.SERVICE_DATA_DIR = dataDir;
  (globalThis as { atelierLocalRunner?: LocalRunner }).atelierLocalRunner = createEmbeddedRenderRunner;
});
afterAll(() => {
  (globalThis as { atelierLocalRunner?: LocalRunner }).atelierLocalRunner = undefined;
  return rm(dataDir, { recursive: true, force: true });
});

/** A render asked with something that goes wrong, on the runner of this machine; its store is where nobody listens. */
async function played(scenario: DevScenario) {
  const config = { publicUrl: 'http://127.0.0.1:9', storeApiUrl: 'http://127.0.0.1:9' };
  const scene = await studioScene(service, { config });
  const ctx = withScenario(scene.ctx, scenario);
  const { row, outcome } = await submitGeneration(ctx, { request: request(RENDER) });
  const { render } = ctx.studio.providers;
  const runId = row.params.workflowRunId ?? '';
  const ended = async () => {
    await until('the run’s end', async () => (await render.status(runId)).outcome === 'run-failed');
    scene.clock.advance(6 * 60_000);
    await sweepGenerations({ ...ctx, actor: { type: 'system', job: 'generations-sweep' } });
    return getGeneration(ctx, { generationId: row.id });
  };
  return { outcome, row, ended };
}

describe('a scenario of what goes wrong, played on a render of this machine', () => {
  it.each([
    ['blackout', { status: 'quota', code: 'quota' }],
    ['run-failed', { status: 'failed', code: 'provider-failure' }],
  ] as const)('%s: the run ends so, and its row is refunded by the sweep', async (scenario, expected) => {
    const { outcome, ended } = await played(scenario);
    expect(outcome).toBe('running');
    expect(await ended()).toMatchObject({ ...expected, charge: 'refunded' });
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each(['provider-error', 'timeout', 'rate-limited'] as const)(
    '%s: nothing begins, and the request itself is refunded',
    async (scenario) => {
      const { outcome, row } = await played(scenario);
      expect([outcome, row.state, row.code]).toEqual(['failed', 'FAILED', 'provider-failure']);
      const lines = await service.db.ledgerLine.findMany({
        where: { generationId: row.id },
        orderBy: { position: 'asc' },
      });
      expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'REFUND']);
    },
  );
});
