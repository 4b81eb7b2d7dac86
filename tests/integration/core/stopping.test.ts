import { expect, it } from 'vitest';
import { POST as mcp } from '#app/api/mcp/route.ts';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { createBudget } from '#lib/storage/retention/budget.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { modern } from '#tests/setup/mcp.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi({ poolMax: 20 });

it('an import under way on an instance that stops is given back at once, and another instance ends it with each Memory once', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 1_000 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const files = Array.from({ length: 30 }, (_, n) => ({
    name: `note-${n}.md`,
    bytes: new TextEncoder().encode(`# Note ${n}\n\nTexte.`),
  }));
  const { drafts } = await readUpload(files, { pillar: 'KNOWLEDGE' });
  const { jobId } = await startImport(ctx, {
    spaceId: space.id,
    label: 'trente',
    source: 'UPLOAD',
    drafts,
    refused: [],
  });
  const stop = new AbortController();
  let looks = 0;
  const stopping = {
    ...ctx,
    clock: {
      now: () => {
        // SIGTERM comes in the middle: the clock is looked at after each Memory.
        looks += 1;
        if (looks === 40) stop.abort();
        return ctx.clock.now();
      },
    },
    stopping: stop.signal,
  };
  expect(await runImport(stopping, { jobId })).toBe(false);
  const left = await getImport(ctx, { jobId });
  expect(left).toMatchObject({ state: 'RUNNING', stalled: true });
  expect(left.done).toBeGreaterThan(0);
  expect(left.done).toBeLessThan(30);
  expect(left.created).toBe(left.done);
  expect(await runImport(ctx, { jobId })).toBe(true);
  expect(await getImport(ctx, { jobId })).toMatchObject({ state: 'DONE', done: 30, created: 30 });
  expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(30);
});

it('a sweep begins no row once its instance stops, and those that it claimed are due for the next one at once', async () => {
  const scene = await studioScene(service, { scenario: 'video-never', creditMicros: 1_000_000_000n });
  const video = request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 });
  await Promise.all(Array.from({ length: 8 }, () => submitGeneration(scene.ctx, { request: video })));
  scene.clock.advance(5 * 60_000);
  const stop = new AbortController();
  const { providers } = scene.ctx.studio;
  let reads = 0;
  const watched = scene.with({
    providers: {
      ...providers,
      video: {
        ...providers.video,
        status: (asked) => {
          reads += 1;
          if (reads === 3) stop.abort();
          return providers.video.status(asked);
        },
      },
    },
  });
  const actor = { type: 'system', job: 'generations-sweep' } as const;
  const cut = await sweepGenerations({ ...watched, actor, stopping: stop.signal }, { together: 2 });
  expect(cut.videoPending).toBe(reads);
  expect(reads).toBeLessThan(6);
  const rest = await sweepGenerations({ ...scene.ctx, actor });
  expect(rest.videoPending).toBe(8 - reads);
});

it('a retention pass stops with its instance', () => {
  const stop = new AbortController();
  const budget = createBudget({
    budgetMs: 1_000,
    elapsedMs: () => 0,
    storeCallMs: 10,
    stopping: stop.signal,
  });
  expect(budget.isSpent()).toBe(false);
  stop.abort();
  expect(budget.isSpent()).toBe(true);
});

it('an assistant’s stream of changes is ended as the protocol ends one when its instance stops: nobody is waited for a minute', async () => {
  const { account, member } = await makeAccount(service);
  await makeSpace(service, account.id);
  const { tokens } = await makeTokens(service, member);
  const stop = new AbortController();
  const shared = globalThis as { atelierStopping?: AbortController };
  shared.atelierStopping = stop;
  try {
    const response = await mcp(
      new Request(`${ORIGIN}/api/mcp`, {
        method: 'POST',
        headers: {
          host: new URL(ORIGIN).host,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
          authorization: `Bearer ${tokens.access_token}`,
        },
        body: JSON.stringify(
          modern('subscriptions/listen', { notifications: { resourcesListChanged: true } }),
        ),
      }),
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .getReader();
    expect((await reader.read()).value).toContain('acknowledged');
    stop.abort();
    // Without the end of the stream this read waits for the fifty seconds that a stream lasts.
    for (let isOver = false; !isOver; ) isOver = (await reader.read()).done;
  } finally {
    delete shared.atelierStopping;
  }
});
