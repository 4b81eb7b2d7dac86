import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueSignedToken, presignUrl, put } from '@vercel/blob';
import { getPayloadFromClientToken } from '@vercel/blob/client';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createId } from '#lib/core/ids.ts';
import {
  createEmbeddedRenderRunner,
  queueRenderScenario,
  type RenderScenario,
} from '#lib/local/render/runner.ts';
import type { RenderStatus } from '#lib/providers/ports-render.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import { type RenderLaunch, renderInputs } from '#lib/studio/renders/render-job.ts';
import { EXIT, runRender } from '#lib/studio/renders/render-run.ts';
import type { TemplateDefinition } from '#lib/studio/templates/drawing/types.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { until } from '#tests/setup/until.ts';
import { type Outside, startOutside } from './render-outside.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1yZW5kZXItdGVzdHM=';
const template = (id: string) => findTemplate(id) as TemplateDefinition;

let outside: Outside;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'atelier-render-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  const files = await mkdtemp(path.join(dataDir, 'store-'));
  outside = await startOutside(files, [SECRET]);
  return () => outside.close();
});

function launch(change: Partial<RenderLaunch> = {}): RenderLaunch {
  return {
    generationId: createId('generation'),
    templateId: 'quote-card',
    sizeId: '1080x1080',
    fields: exampleFields(template('quote-card')),
    brand: { name: 'Atelier Rousseau', colour: '#2f4bd8' },
    images: {},
    readWriteToken: outside.storeToken,
    storeApiUrl: outside.storeApiUrl,
    callbackUrl: `${outside.url}/api/webhooks/render`,
    now: new Date(),
    ...change,
  };
}

/** Executes the script as the workflow's last step does: inputs in the event's file, one secret in the environment. */
async function runAsWorkflow(inputs: Record<string, string>, runId = '4242') {
  const event = path.join(dataDir, `event-${runId}.json`);
  await writeFile(event, JSON.stringify({ inputs }));
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: process.env.NODE_ENV,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    GITHUB_EVENT_PATH: event,
    GITHUB_RUN_ID: runId,
    CALLBACK_SECRET: SECRET,
  };
  const child = spawn(process.execPath, ['scripts/render-runner.ts'], { env });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}

describe('the runner script, as the workflow runs it', () => {
  it('draws, publishes every page in the folder and calls back signed, printing no secret', async () => {
    const job = launch({
      templateId: 'carousel',
      sizeId: '1080x1350',
      fields: exampleFields(template('carousel')),
    });
    const inputs = await renderInputs(job);
    const { code, output } = await runAsWorkflow(inputs);
    expect(code, output).toBe(EXIT.done);
    expect(outside.callbacks).toHaveLength(1);
    const { verdict, body } = outside.callbacks[0] as Outside['callbacks'][number];
    expect(verdict.valid).toBe(true);
    expect(body).toMatchObject({
      type: 'render.finished',
      status: 'success',
      generationId: job.generationId,
      runId: '4242',
    });
    expect(body.files).toHaveLength(5);
    const stored = await outside.stored();
    expect([...stored.keys()].sort()).toEqual(body.files.map(({ pathname }) => pathname).sort());
    for (const file of body.files) {
      expect(file.pathname.startsWith(generationFolder(job.generationId))).toBe(true);
      expect(stored.get(file.pathname)).toBe(file.sha256);
      expect(file.url).toContain(file.pathname);
    }
    expect(body.durationMs).toBe(Date.parse(body.finishedAt) - Date.parse(body.startedAt));
    const secrets = [
      SECRET,
      ...Object.values(JSON.parse(inputs.uploads as string) as Record<string, string>),
    ];
    for (const secret of secrets) expect(output).not.toContain(secret);
    expect(output).not.toContain('bougie');
  });

  it('sends the same message again while the callback is not accepted, and the run again changes no file', async () => {
    outside.nextStatuses = [503];
    const inputs = await renderInputs(launch());
    expect((await runAsWorkflow(inputs)).code).toBe(EXIT.done);
    expect(outside.callbacks.map(({ verdict }) => verdict.valid)).toEqual([true, true]);
    expect(new Set(outside.callbacks.map(({ messageId }) => messageId)).size).toBe(1);
    const before = await outside.stored();
    expect((await runAsWorkflow(inputs)).code).toBe(EXIT.done);
    expect(await outside.stored()).toEqual(before);
    expect(outside.callbacks[2]?.body.files[0]?.sha256).toBe(outside.callbacks[0]?.body.files[0]?.sha256);
  });

  it('reads the images it is given an address for, and calls a failure a failure', async () => {
    outside.image = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#3a7' } })
      .png()
      .toBuffer();
    const fields = { ...exampleFields(template('product-card')), photo: 'references/a.png' };
    const images = { 'references/a.png': `${outside.url}/image` };
    const change = { templateId: 'product-card', fields, images };
    expect((await runAsWorkflow(await renderInputs(launch(change)))).code).toBe(EXIT.done);
    outside.image = undefined;
    expect((await runAsWorkflow(await renderInputs(launch(change)))).code).toBe(EXIT.renderFailed);
    expect(outside.callbacks[1]).toMatchObject({
      verdict: { valid: true },
      body: { type: 'render.failed', status: 'failure', files: [], error: { code: 'image-unreadable' } },
    });
  });
});

describe('the runner, in this process', () => {
  const run = (inputs: unknown, change: Partial<Parameters<typeof runRender>[0]> = {}) =>
    runRender({
      inputs,
      runId: '7',
      runAttempt: '1',
      callbackSecret: SECRET,
      fetch,
      now: () => new Date(),
      sleep: async () => {},
      log: () => {},
      ...change,
    });

  it('cannot publish outside its folder: each token opens one pathname', async () => {
    const inputs = await renderInputs(launch());
    const other = await renderInputs(launch());
    const crossed = { ...other, uploads: inputs.uploads as string };
    expect(await run(crossed)).toBe(EXIT.renderFailed);
    expect((await outside.stored()).size).toBe(0);
    expect(outside.callbacks[0]?.body.error?.code).toBe('upload-refused');
    expect(await run({ ...other, folder: 'generations/gen_other/' })).toBe(EXIT.inputsInvalid);
  });

  it('gives up on a callback that is refused for good, and after its tries on one that never answers', async () => {
    const inputs = await renderInputs(launch());
    outside.nextStatuses = [401];
    expect(await run(inputs)).toBe(EXIT.notCalledBack);
    expect(outside.callbacks).toHaveLength(1);
    outside.nextStatuses = Array.from({ length: 10 }, () => 500);
    expect(await run(inputs)).toBe(EXIT.notCalledBack);
    expect(outside.callbacks).toHaveLength(7);
  });

  it('calls back again, as the same message, while it is asked to wait', async () => {
    outside.nextStatuses = [429, 408, 503];
    expect(await run(await renderInputs(launch()))).toBe(EXIT.done);
    expect(outside.callbacks).toHaveLength(4);
    expect(new Set(outside.callbacks.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is given tokens of a PNG of 20 MB at most, once, for 100 minutes', async () => {
    const now = new Date();
    const inputs = await renderInputs(launch({ now }));
    const tokens = Object.values(JSON.parse(inputs.uploads as string) as Record<string, string>);
    for (const token of tokens)
      expect(getPayloadFromClientToken(token)).toMatchObject({
        allowedContentTypes: ['image/png'],
        maximumSizeInBytes: 20 * 1024 * 1024,
        allowOverwrite: false,
        addRandomSuffix: false,
        validUntil: now.getTime() + 100 * 60_000,
      });
    expect(tokens).not.toEqual([]);
  });

  it('starts nothing without usable inputs or without its secret', async () => {
    const inputs = await renderInputs(launch());
    expect(await run({ ...inputs, uploads: '{' })).toBe(EXIT.inputsInvalid);
    expect(await run(undefined)).toBe(EXIT.inputsInvalid);
    expect(await run(inputs, { callbackSecret: undefined })).toBe(EXIT.inputsInvalid);
    expect(await run(inputs, { callbackSecret: 'short' })).toBe(EXIT.inputsInvalid);
    expect(outside.callbacks).toEqual([]);
  });

  it('is asked through inputs that the workflow file declares, one for one, and that GitHub accepts', async () => {
    const file = parse(await readFile('.github/workflows/atelier-render.yml', 'utf8'));
    const long = {
      slides: Array.from({ length: 8 }, () => ({ title: 't'.repeat(70), text: 'é'.repeat(320) })),
    };
    const inputs = await renderInputs(
      launch({
        templateId: 'carousel',
        sizeId: '1080x1080',
        fields: { ...exampleFields(template('carousel')), ...long },
      }),
    );
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(file.on.workflow_dispatch.inputs).sort());
    expect(Object.keys(inputs).length).toBeLessThanOrEqual(25);
    const { steps } = file.jobs.render;
    const used: string[] = steps.flatMap(({ uses }: { uses?: string }) => uses ?? []);
    expect(used).not.toEqual([]);
    expect(used.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
    expect(JSON.stringify(steps)).not.toContain('inputs.');
    await expect(renderInputs(launch({ fields: { quote: 'x'.repeat(70_000) } }))).rejects.toThrow(RangeError);
  });
});

describe('the embedded runner', () => {
  const embedded = (more: { slowMs?: number; now?: () => Date } = {}) =>
    createEmbeddedRenderRunner({
      dataDir,
      callbackSecret: SECRET,
      runUrl: (id) => `http://local/runs/${id}`,
      slowMs: 300,
      ...more,
    });

  async function dispatch(
    scenario: RenderScenario,
    change: Partial<RenderLaunch> = {},
    more: Parameters<typeof embedded>[0] = {},
  ) {
    const runner = embedded(more);
    await queueRenderScenario(dataDir, scenario);
    const job = launch(change);
    const dispatched = await runner.dispatch({ inputs: await renderInputs(job) });
    if (dispatched.outcome !== 'dispatched' || !dispatched.runId) throw new Error(JSON.stringify(dispatched));
    return { runId: dispatched.runId, job, runUrl: dispatched.runUrl };
  }

  /** Read through another instance, as another process would. */
  async function ended(runId: string): Promise<RenderStatus> {
    return until('the run to end', async () => {
      const now = await embedded().status(runId);
      return now.outcome !== 'running' && (now as RenderStatus);
    });
  }

  it('renders for real in a process of its own, whose state another instance reads', async () => {
    const { runId, job, runUrl } = await dispatch('honest');
    expect(runUrl).toBe(`http://local/runs/${runId}`);
    expect(await embedded().status(runId)).toMatchObject({ outcome: 'running' });
    expect(await ended(runId)).toMatchObject({ outcome: 'succeeded', runUrl });
    expect(outside.callbacks).toHaveLength(1);
    expect(outside.callbacks[0]).toMatchObject({
      verdict: { valid: true },
      body: { runId, generationId: job.generationId },
    });
    const left = await readdir(path.join(dataDir, 'render-runs', runId));
    expect(left).not.toContain('event.json');
    expect(await readFile(path.join(dataDir, 'render-runs', runId, 'log.txt'), 'utf8')).not.toContain(
      'vercel_blob_client_',
    );
  });

  it('reads a private file of the store through a signed address that expires', async () => {
    const token = outside.storeToken;
    const pathname = 'references/photo.png';
    const photo = sharp({ create: { width: 500, height: 500, channels: 3, background: '#a35' } });
    await put(pathname, await photo.png().toBuffer(), { access: 'private', token });
    const validUntil = Date.now() + 600_000;
    const signed = await issueSignedToken({ token, pathname, operations: ['get'], validUntil });
    const { presignedUrl } = await presignUrl(signed, {
      operation: 'get',
      pathname,
      access: 'private',
      validUntil,
    });
    const fields = { ...exampleFields(template('product-card')), photo: pathname };
    const change = { templateId: 'product-card', fields, images: { [pathname]: presignedUrl } };
    const { runId } = await dispatch('honest', change);
    expect(await ended(runId)).toMatchObject({ outcome: 'succeeded' });
    expect(outside.callbacks[0]?.body.files).toHaveLength(1);
  });

  it('waits like a busy CI when slow', async () => {
    const { runId } = await dispatch('slow');
    expect(await ended(runId)).toMatchObject({ outcome: 'succeeded' });
  });

  it('killed half-way, leaves a published file, no callback and a failed run', async () => {
    const { runId, job } = await dispatch('killed');
    expect(await ended(runId)).toMatchObject({
      outcome: 'run-failed',
      conclusion: 'failure',
      blackout: false,
    });
    expect([...(await outside.stored()).keys()][0]).toContain(generationFolder(job.generationId));
    expect(outside.callbacks).toEqual([]);
  });

  it('vanished, leaves a published file, no callback and a run that goes on for ever', async () => {
    const { runId } = await dispatch('vanished');
    await until('a file in the store', async () => (await outside.stored()).size > 0);
    await until(
      'its inputs to be gone',
      async () => !(await readdir(path.join(dataDir, 'render-runs', runId))).includes('event.json'),
    );
    expect(await embedded().status(runId)).toMatchObject({ outcome: 'running' });
    expect(outside.callbacks).toEqual([]);
  });

  it('in a blackout fails at once, without a step', async () => {
    // Ten seconds are « at once »: asked for a minute later than it is, it fails at once on a machine that is held for as long, too.
    const { runId } = await dispatch('blackout', {}, { now: () => new Date(Date.now() + 60_000) });
    expect(await ended(runId)).toMatchObject({ outcome: 'run-failed', blackout: true });
    expect(outside.callbacks).toEqual([]);
  });

  it('claims success without a file, or with a file outside its folder that the store refused', async () => {
    await ended((await dispatch('no-files')).runId);
    expect(outside.callbacks[0]).toMatchObject({
      verdict: { valid: true },
      body: { status: 'success', files: [] },
    });
    const { runId, job } = await dispatch('wrong-folder');
    await ended(runId);
    const claimed = outside.callbacks[1]?.body.files[0]?.pathname ?? '';
    expect(claimed.startsWith(generationFolder(job.generationId))).toBe(false);
    const log = await readFile(path.join(dataDir, 'render-runs', runId, 'log.txt'), 'utf8');
    expect(log).toContain('rogue.upload-refused');
    expect((await outside.stored()).size).toBe(0);
  });

  it('can forge: the callback is then signed with a secret that is not ours', async () => {
    outside.nextStatuses = [401];
    const { runId } = await dispatch('forged-callback');
    expect(await ended(runId)).toMatchObject({ outcome: 'run-failed', blackout: false });
    expect(outside.callbacks.map(({ verdict }) => verdict)).toEqual([
      { valid: false, reason: 'signature-invalid' },
    ]);
  });

  it('tells a run whose process died without a word, and a run that never was', async () => {
    // It waits until it is killed, however late that is.
    const { runId } = await dispatch('slow', {}, { slowMs: 600_000 });
    const agent = JSON.parse(await readFile(path.join(dataDir, 'render-runs', runId, 'agent.json'), 'utf8'));
    process.kill(agent.pid, 'SIGKILL');
    expect(await ended(runId)).toMatchObject({ outcome: 'run-failed', blackout: false });
    expect(await readdir(path.join(dataDir, 'render-runs', runId))).not.toContain('event.json');
    expect(await embedded().status('1')).toMatchObject({ outcome: 'failed', reason: 'not-found' });
    expect(await embedded().status('../1')).toMatchObject({ outcome: 'failed', reason: 'not-found' });
  });

  const noAddress = (): string => {
    throw new Error('no address');
  };

  it.each([
    ['whose process does not start', { root: path.join(tmpdir(), 'atelier-no-such-clone') }],
    ['that has no address', { runUrl: noAddress }],
  ])('a run %s was surely not begun, and leaves no upload token', async (_, change) => {
    const folder = await mkdtemp(path.join(dataDir, 'unbegun-'));
    const runner = createEmbeddedRenderRunner({ dataDir: folder, callbackSecret: SECRET, ...change });
    expect(await runner.dispatch({ inputs: await renderInputs(launch()) })).toMatchObject({
      outcome: 'failed',
      retrySafe: 'surely-not-sent',
    });
    expect(await readdir(path.join(folder, 'render-runs'))).toEqual([]);
  });
});
