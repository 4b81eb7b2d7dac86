import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { queueRenderScenario, type RenderScenario } from '#lib/local/render/runner.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import type { TemplateDefinition } from '#lib/studio/templates/drawing/types.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { until } from '#tests/setup/until.ts';
import {
  type Answered,
  age,
  ageTo,
  type Caller,
  callerOf,
  linesOf,
  readUntil,
  sweepOver,
  sweepUntilClosed,
} from '../setup/caller.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';
import { fund } from '../setup/scenes/studio.ts';

const app = inject('app');
const PATH = '/api/generations';
const QUOTE = {
  kind: 'render',
  template: 'quote-card',
  size: '1080x1080',
  fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
};
const carousel = findTemplate('carousel') as TemplateDefinition;
const CAROUSEL = {
  kind: 'render',
  template: 'carousel',
  size: '1080x1350',
  fields: exampleFields(carousel),
};

let scenes: Scenes;
let seat: Seat;
let caller: Caller;
let secrets: Awaited<ReturnType<typeof localSecrets>>;
beforeAll(async () => {
  scenes = await openScenes(app);
  seat = await scenes.seat();
  await fund(seat, 50_000_000n);
  caller = callerOf(app.baseUrl, seat);
  secrets = await localSecrets(app.dataDir);
});
afterAll(() => scenes?.close());

async function launch(scenario: RenderScenario, body: Record<string, unknown> = QUOTE): Promise<Answered> {
  await queueRenderScenario(app.dataDir, scenario);
  const { status, json } = await caller.post(PATH, body);
  expect(status).toBe(202);
  expect(json).toMatchObject({
    status: 'running',
    kind: 'RENDER',
    heldUsd: 0.1,
    pollUrl: `${PATH}/${json.id}`,
  });
  return json;
}

const runFile = (row: Answered, name: string) =>
  path.join(app.dataDir, 'render-runs', row.params.workflowRunId ?? '', name);
const runOf = async (row: Answered) =>
  JSON.parse(await readFile(runFile(row, 'run.json'), 'utf8')) as {
    status: string;
    conclusion: string | null;
  };
const ended = (row: Answered) =>
  until('the run to end', async () => (await runOf(row)).status === 'completed' && runOf(row));
const read = async (row: Answered) => (await caller.get(`${PATH}/${row.id}`)).json;

/** Downloads the pages of a render and decodes all their pixels: the size of each, and its number of colours. */
async function pages(row: Answered): Promise<{ width: number; height: number; colours: number }[]> {
  return Promise.all(
    row.files.map(async ({ url, bytes: size }) => {
      const { status, contentType, bytes } = await caller.file(url);
      expect({ status, contentType, size: bytes.length }).toEqual({
        status: 200,
        contentType: 'image/png',
        size,
      });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const colours = new Set<number>();
      for (let at = 0; at + 2 < data.length; at += info.channels) colours.add(data.readUIntBE(at, 3));
      return { width: info.width, height: info.height, colours: colours.size };
    }),
  );
}

/** Sends a callback as the runner does, signed with this secret. */
async function callBack(body: unknown, secret: string): Promise<{ status: number; text: string }> {
  const text = JSON.stringify(body);
  const answer = await fetch(`${app.baseUrl}/api/webhooks/render`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signCallback(text, { id: 'msg_e2e', secret, sentAt: new Date() }),
    },
    body: text,
  });
  return { status: answer.status, text: await answer.text() };
}

const refunded = [
  ['RESERVE', 0n],
  ['REFUND', 0n],
];

describe('a render on the runner of npm start', () => {
  it('is drawn by a process of its own, called back, settled at its begun minute, and opens as a PNG of its size', async () => {
    const [quote, slides] = [await launch('honest'), await launch('honest', CAROUSEL)];
    const done = await readUntil(caller, quote.id, ({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'done', closedBy: 'callback', charge: 'settled', costUsd: 0.01 });
    expect(await linesOf(seat, quote.id)).toEqual([
      ['RESERVE', 0n],
      ['SETTLE', -10_000n],
    ]);
    const [card, ...others] = await pages(done);
    expect(others).toEqual([]);
    expect(card).toMatchObject({ width: 1080, height: 1080 });
    expect(card?.colours).toBeGreaterThan(20);
    const five = await readUntil(caller, slides.id, ({ status }) => status !== 'running');
    expect(five.files.length).toBeGreaterThan(1);
    for (const page of await pages(five)) expect(page).toMatchObject({ width: 1080, height: 1350 });
  });

  it('killed half-way stays running until the sweep finds its run failed: refunded, its file deleted, and launched again', async () => {
    const row = await launch('killed');
    expect(await ended(row)).toMatchObject({ conclusion: 'failure' });
    expect(await read(row)).toMatchObject({ status: 'running', charge: 'open', message: null });
    await age(seat, row.id, 5);
    await sweepUntilClosed(app.baseUrl, secrets.CRON_SECRET, seat, row.id);
    const failed = await read(row);
    expect(failed).toMatchObject({
      status: 'failed',
      closedBy: 'sweep',
      charge: 'refunded',
      files: [],
      canRelaunch: true,
    });
    expect(failed.message).toContain('remboursé');
    expect(await linesOf(seat, row.id)).toEqual(refunded);
    const [discarded] = await seat.ctx.db.auditEntry.findMany({
      where: { subjectId: row.id, action: 'generation.files_discarded' },
    });
    const { pathnames = [] } = (discarded?.data ?? {}) as { pathnames?: string[] };
    expect(pathnames).toHaveLength(1);
    expect((await caller.file(`/api/files/${pathnames[0]}`)).status).toBe(404);
    const again = await caller.post(`${PATH}/${row.id}/relaunch`, {});
    expect(again).toMatchObject({ status: 202, json: { status: 'running', relaunchOfId: row.id } });
    expect(await readUntil(caller, again.json.id, ({ status }) => status !== 'running')).toMatchObject({
      status: 'done',
    });
  });

  it('whose process is killed with SIGKILL before it drew is found dead by the sweep and refunded', async () => {
    const row = await launch('slow');
    const agent = await until('the process of the run', () => readFile(runFile(row, 'agent.json'), 'utf8'));
    process.kill((JSON.parse(agent) as { pid: number }).pid, 'SIGKILL');
    await age(seat, row.id, 5);
    const closed = await until('the sweep to close the row', async () => {
      await sweepOver(app.baseUrl, secrets.CRON_SECRET);
      const now = await read(row);
      if (now.status === 'running') await age(seat, row.id, 0);
      return now.status !== 'running' && now;
    });
    expect(closed).toMatchObject({ status: 'failed', charge: 'refunded', canRelaunch: true });
    expect(await linesOf(seat, row.id)).toEqual(refunded);
  });

  it('forged calls are refused with 401 and change nothing; the honest one that follows closes the row', async () => {
    const row = await launch('honest');
    const report = {
      type: 'render.finished',
      generationId: row.id,
      runId: row.params.workflowRunId,
      status: 'failure',
      files: [],
      durationMs: 1,
    };
    for (const secret of ['a-secret-that-is-not-the-runner-s', `${secrets.CALLBACK_SECRET}0`])
      expect((await callBack(report, secret)).status).toBe(401);
    expect((await callBack({ ...report, runId: '1' }, secrets.CALLBACK_SECRET)).status).toBe(409);
    const done = await readUntil(caller, row.id, ({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'done', closedBy: 'callback', charge: 'settled' });
    // A second callback is refused, and changes nothing.
    expect(await callBack(report, secrets.CALLBACK_SECRET)).toMatchObject({ status: 409 });
    expect(await linesOf(seat, row.id)).toHaveLength(2);
  });

  it('by a runner that signs with another secret is never believed, and ends refunded by the sweep', async () => {
    const row = await launch('forged-callback');
    expect(await ended(row)).toMatchObject({ conclusion: 'failure' });
    expect(await readFile(runFile(row, 'log.txt'), 'utf8')).toContain('401');
    expect(await read(row)).toMatchObject({ status: 'running', files: [] });
    await age(seat, row.id, 5);
    await sweepUntilClosed(app.baseUrl, secrets.CRON_SECRET, seat, row.id);
    expect(await read(row)).toMatchObject({ status: 'failed', charge: 'refunded', files: [] });
  });

  it('in a blackout ends with the status « quota », refunded, and is launched again when it is over', async () => {
    const row = await launch('blackout');
    await ended(row);
    await age(seat, row.id, 5);
    await sweepUntilClosed(app.baseUrl, secrets.CRON_SECRET, seat, row.id);
    expect(await read(row)).toMatchObject({
      status: 'quota',
      charge: 'refunded',
      canRelaunch: true,
      closedBy: 'sweep',
    });
    expect(await linesOf(seat, row.id)).toEqual(refunded);
    const again = await caller.post(`${PATH}/${row.id}/relaunch`, {});
    expect(again).toMatchObject({ status: 202, json: { status: 'running', relaunchOfId: row.id } });
    const done = await readUntil(caller, again.json.id, ({ status }) => status !== 'running');
    expect(done).toMatchObject({ status: 'done', charge: 'settled' });
  });

  it('that vanished with its file published is no-callback at 100 minutes: refunded, and the file is said', async () => {
    const row = await launch('vanished');
    const log = () => readFile(runFile(row, 'log.txt'), 'utf8').catch(() => '');
    await until('the run to publish its file', async () => (await log()).includes('render.uploaded'));
    await ageTo(seat, row.id, 99);
    await sweepOver(app.baseUrl, secrets.CRON_SECRET);
    expect(await read(row)).toMatchObject({ status: 'running' });
    await age(seat, row.id, 1.1);
    await sweepUntilClosed(app.baseUrl, secrets.CRON_SECRET, seat, row.id);
    const closed = await read(row);
    expect(closed).toMatchObject({
      status: 'no-callback',
      charge: 'refunded',
      closedBy: 'sweep',
      canRelaunch: true,
    });
    expect(closed.message).toContain('Un fichier a pourtant été publié');
    expect(await linesOf(seat, row.id)).toEqual(refunded);
  });
});
