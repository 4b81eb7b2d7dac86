import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import * as sweep from '#app/api/cron/generations-sweep/route.ts';
import * as retention from '#app/api/cron/retention/route.ts';
import * as dev from '#app/api/dev/generate/route.ts';
import * as one from '#app/api/generations/[id]/route.ts';
import * as journal from '#app/api/generations/route.ts';
import * as desk from '#app/api/voice-desk/route.ts';
import * as renderHook from '#app/api/webhooks/render/route.ts';
import * as videoHook from '#app/api/webhooks/video/[generationId]/route.ts';
import { systemClock } from '#lib/core/clock.ts';
import { env, type ProviderName } from '#lib/core/env.ts';
import { transaction } from '#lib/db/transaction.ts';
import { withCron } from '#lib/http/middleware/with-cron.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { studioPorts } from '#lib/http/runtime/studio.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { addComment } from '#lib/studio/comments/add-comment.ts';
import type { StudioPorts } from '#lib/studio/context.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { clearVoiceLibrary } from '#lib/studio/voices/voice-desk.ts';
import { makeMember } from '#tests/factories/account.ts';
import { QUOTE_CARD } from '#tests/factories/files/rendered-files.ts';
import { recordedProviders, TEST_CONFIG } from '#tests/factories/studio.ts';
import { call } from '#tests/setup/api.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';
import { until } from '#tests/setup/until.ts';

const service = useStudioApi();
const template = findTemplate('quote-card');
if (!template) throw new Error('quote-card is gone');
const RENDER = {
  kind: 'render',
  template: template.id,
  size: template.sizes[0]?.id,
  fields: exampleFields(template),
};
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
type Member = Awaited<ReturnType<typeof signedIn>>;

const post = async (member: Member, body: unknown) =>
  (await member.call(journal.POST, { path: '/api/generations', body })).json;
const read = async (member: Member, id: string) =>
  (await member.call(one.GET, { path: `/api/generations/${id}`, params: { id } })).json;

describe('POST /api/webhooks/render', () => {
  const send = (
    body: unknown,
    options: { secret?: string; sentAt?: Date; headers?: Record<string, string> } = {},
  ) => {
    const text = JSON.stringify(body);
    const secret = options.secret ?? process.env.CALLBACK_SECRET ?? '';
    const signed = signCallback(text, { id: 'msg_1', secret, sentAt: options.sentAt ?? new Date() });
    const headers = { 'content-type': 'application/json', ...signed, ...options.headers };
    return call(renderHook.POST, { path: '/api/webhooks/render', body: text, headers });
  };
  const launched = async () => {
    const member = await signedIn(service);
    const row = await post(member, RENDER);
    const pathname = `generations/${row.id}/${QUOTE_CARD.name}`;
    await service.store.put(pathname, QUOTE_CARD.bytes, { contentType: 'image/png' });
    const report = {
      type: 'render.finished',
      generationId: row.id,
      runId: row.params.workflowRunId,
      status: 'success',
      files: [{ pathname, bytes: QUOTE_CARD.bytes.length, contentType: 'image/png' }],
      durationMs: 61_000,
    };
    return { member, row, report };
  };

  it('200: closes the row; sent again, 200 and nothing happens; another verdict is told 409', async () => {
    const { member, row, report } = await launched();
    expect(await send(report)).toMatchObject({ status: 200, json: { status: 'done', recorded: true } });
    expect(await send(report)).toMatchObject({ status: 200, json: { status: 'done', recorded: false } });
    expect(await send({ ...report, status: 'failure' })).toMatchObject({
      status: 409,
      json: {
        error: {
          detail: 'done',
          subject: row.id,
          message: 'Ce rendu est déjà clos, avec l’état «\u00a0Terminé\u00a0».',
        },
      },
    });
    expect(await read(member, row.id)).toMatchObject({ status: 'done', closedBy: 'callback', costUsd: 0.01 });
  });

  it('401 when forged, stale or unsigned; 400 malformed; 404 unknown row; 409 foreign run; nothing changes', async () => {
    const { member, row, report } = await launched();
    expect((await send(report, { secret: 'another-secret-of-16' })).status).toBe(401);
    expect((await send(report, { sentAt: new Date(Date.now() - 301_000) })).status).toBe(401);
    expect((await send(report, { headers: { 'webhook-signature': '' } })).status).toBe(401);
    expect((await send({ hello: 1 })).status).toBe(400);
    for (const text of ['gen_\u0000', 'gen_\ud800']) {
      expect((await send({ ...report, generationId: text })).status).toBe(400);
      expect((await send({ ...report, runId: text })).status).toBe(400);
      expect((await send({ ...report, files: [{ pathname: text }] })).status).toBe(400);
    }
    expect((await send({ ...report, generationId: 'gen_nobody' })).status).toBe(404);
    expect((await send({ ...report, runId: '42' })).status).toBe(409);
    expect((await read(member, row.id)).status).toBe('running');
  });

  it('is believed for the very bytes that were signed: 401 for others, though they say the same', async () => {
    const { report } = await launched();
    const written = JSON.stringify(report, null, 2);
    const secret = process.env.CALLBACK_SECRET ?? '';
    const headers = {
      'content-type': 'application/json',
      ...signCallback(written, { id: 'msg_1', secret, sentAt: new Date() }),
    };
    const sendText = (body: string) => call(renderHook.POST, { path: '/api/webhooks/render', body, headers });
    expect((await sendText(JSON.stringify(report))).status).toBe(401);
    expect(await sendText(written)).toMatchObject({ status: 200, json: { recorded: true } });
  });

  it('503 while the launch has not recorded its run', async () => {
    const { row, report } = await launched();
    await service.pool.query(`ALTER TABLE "Generation" DISABLE TRIGGER "Generation_guard"`);
    await service.pool.query(
      `UPDATE "Generation" SET "state" = 'STARTING', "params" = "params" - 'workflowRunId' WHERE "id" = $1`,
      [row.id],
    );
    await service.pool.query(`ALTER TABLE "Generation" ENABLE TRIGGER "Generation_guard"`);
    const { status, headers } = await send(report);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
  });
});

describe('POST /api/webhooks/video/<generation_id>', () => {
  const send = (id: string, body: string, headers: Record<string, string> = {}) =>
    call(videoHook.POST, { path: `/api/webhooks/video/${id}`, params: { generationId: id }, body, headers });
  const signed = (secret: string, body: string, at = Math.floor(Date.now() / 1000)) => ({
    'x-ai-gateway-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
  });
  const started = async () => {
    const member = await signedIn(service);
    const row = await post(member, VIDEO);
    const { providerWebhookSecret } = await service.db.generation.findUniqueOrThrow({
      where: { id: row.id },
    });
    return { member, row, secret: providerWebhookSecret ?? '' };
  };

  it('401 for a forged, stale, truncated or foreign call; 413 for an oversized one; 404 never tells which rows exist', async () => {
    const { row, secret } = await started();
    const other = await started();
    const body = JSON.stringify({ jobId: row.providerJobId });
    expect((await send(row.id, body)).status).toBe(401);
    expect((await send(row.id, body, signed('wrong', body))).status).toBe(401);
    expect((await send(row.id, body, signed(secret, body, 1))).status).toBe(401);
    expect((await send(row.id, body.slice(1), signed(secret, body))).status).toBe(401);
    expect((await send(row.id, body, signed(other.secret, body))).status).toBe(401);
    expect((await send('gen_nobody', body, signed(secret, body))).status).toBe(401);
    const foreign = JSON.stringify({ data: { jobId: 'the-job-of-another-row' } });
    expect((await send(row.id, foreign, signed(secret, foreign))).status).toBe(401);
    expect((await send(row.id, 'x'.repeat(70_000))).status).toBe(413);
  });

  it('204 for the call that its provider signed, and the row is closed by it', async () => {
    service.ports({ providers: recordedProviders(systemClock, 'success', { readyAfterMs: 0 }) });
    const { member, row, secret } = await started();
    await service.pool.query(
      `UPDATE "Generation" SET "startedAt" = now() - interval '1 minute', "readableAt" = now() - interval '1 second' WHERE "id" = $1`,
      [row.id],
    );
    const kept = () => service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    const event = { data: { jobId: (await kept()).providerJobId } };
    // As its provider wrote it: the same said in other bytes was signed by nobody.
    const body = JSON.stringify(event, null, 1);
    expect((await send(row.id, JSON.stringify(event), signed(secret, body))).status).toBe(401);
    expect((await send(row.id, body, signed(secret, body))).status).toBe(204);
    await expect.poll(async () => (await kept()).state).toBe('COMPLETED');
    expect(await read(member, row.id)).toMatchObject({ status: 'done', closedBy: 'webhook' });
    service.ports({});
  });

  it('503 before the secret is stored, 204 once the row is closed', async () => {
    service.ports({ providers: recordedProviders(systemClock, 'success', { readyAfterMs: 0 }) });
    const { member, row, secret } = await started();
    await service.pool.query(
      `UPDATE "Generation" SET "startedAt" = now() - interval '1 minute', "readableAt" = now() - interval '1 second' WHERE "id" = $1`,
      [row.id],
    );
    const { providerJobId } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect(await read(member, row.id)).toMatchObject({ status: 'done' });
    const body = JSON.stringify({ data: { jobId: providerJobId } });
    expect((await send(row.id, body, signed(secret, body))).status).toBe(204);
    expect((await send(row.id, body)).status).toBe(401);
    expect((await send(row.id, '{}', signed('wrong', '{}'))).status).toBe(401);
    service.ports({});
    const fresh = await started();
    await service.pool.query(`ALTER TABLE "Generation" DISABLE TRIGGER "Generation_guard"`);
    await service.pool.query(
      `UPDATE "Generation" SET "state" = 'STARTING', "providerWebhookSecret" = NULL WHERE "id" = $1`,
      [fresh.row.id],
    );
    await service.pool.query(`ALTER TABLE "Generation" ENABLE TRIGGER "Generation_guard"`);
    const early = await send(fresh.row.id, '{}', signed(fresh.secret, '{}'));
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await send(fresh.row.id, '{}')).status).toBe(401);
  });
});

describe('GET /api/cron/generations-sweep', () => {
  const path = '/api/cron/generations-sweep';
  it('200 with its counts for the scheduler; 401 for anybody else', async () => {
    const secret = process.env.CRON_SECRET ?? '';
    const { status, json } = await call(sweep.GET, { path, token: secret });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(
      [
        'errors',
        'reconciled',
        'settled',
        'videoFailed',
        'videoPending',
        'videoSettled',
        'videoTimeout',
      ].sort(),
    );
    expect((await call(sweep.GET, { path })).status).toBe(401);
    expect((await call(sweep.GET, { path, token: `${secret}x` })).status).toBe(401);
    expect((await call(sweep.POST, { path, token: secret, body: {} })).status).toBe(405);
  });
});

describe('GET /api/cron/retention', () => {
  it('is the scheduler’s: 401 without its secret, or with another', async () => {
    const path = '/api/cron/retention';
    expect((await call(retention.GET, { path })).status).toBe(401);
    expect((await call(retention.GET, { path, token: `${process.env.CRON_SECRET}x` })).status).toBe(401);
  });

  it('runs and answers even when what is tidied in the same night fails, each failure told', async () => {
    const rename = (from: string, to: string) =>
      service.pool.query(`ALTER TABLE "${from}" RENAME TO "${to}"`);
    const events: Record<string, unknown>[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      for (const line of String(chunk).split('\n')) if (line.startsWith('{')) events.push(JSON.parse(line));
      return true;
    });
    await rename('SignInCode', 'hidden_codes');
    await rename('OAuthToken', 'hidden_tokens');
    try {
      const { status, json } = await call(retention.GET, {
        path: '/api/cron/retention',
        token: process.env.CRON_SECRET ?? '',
      });
      expect([status, json.error]).toEqual([200, undefined]);
    } finally {
      spy.mockRestore();
      await rename('hidden_codes', 'SignInCode');
      await rename('hidden_tokens', 'OAuthToken');
    }
    const names = events.map(({ event }) => event);
    expect(names.indexOf('cron.retention.done')).toBeLessThan(names.indexOf('cron.task_failed'));
    const failed = events.filter(({ event }) => event === 'cron.task_failed');
    expect(failed.map(({ task }) => task)).toEqual(['purge-expired', 'purge-clients']);
  });

  it('tells by mail who was named in a comment, and the founders of a balance that is low', async () => {
    (globalThis as { atelierMailer?: unknown }).atelierMailer = undefined;
    const founder = await signedIn(service, { creditMicros: 1_000_000n });
    const ines = await makeMember(service, founder.account.id, {
      role: 'MEMBER',
      name: 'Inès Roy',
      permissions: ['generate'],
    });
    const { id } = await post(founder, { kind: 'image', brief: 'Une bougie' });
    await addComment(founder.ctx, { generationId: id, text: '@Inès Roy la mèche est floue' });
    await service.db.wallet.update({
      where: { memberId: founder.member.id },
      data: { month: utcMonth(new Date()), monthSpentMicros: 100_000_000n },
    });
    const token = process.env.CRON_SECRET ?? '';
    expect((await call(retention.GET, { path: '/api/cron/retention', token })).status).toBe(200);
    const told = async ({ email: recipient }: { email: string }) => {
      const mails = await service.db.outboxMessage.findMany({ where: { recipient } });
      return mails.map(({ subject }) => subject);
    };
    expect(await told(founder.member)).toEqual([expect.stringMatching(/solde faible/)]);
    // One that is sent once the answer has left.
    const named = await until('the mail of who was named', async () => (await told(ines))[0]);
    expect(named).toContain('vous nomme');
  });
});

describe('a scheduled job', () => {
  it('401 for everybody where no secret is configured', async () => {
    const secret = process.env.CRON_SECRET;
    const runs = await service.db.cronRun.count();
    vi.resetModules();
    vi.stubEnv('CRON_SECRET', undefined);
    try {
      for (const [path, { GET }] of [
        ['/api/cron/generations-sweep', await import('#app/api/cron/generations-sweep/route.ts')],
        ['/api/cron/retention', await import('#app/api/cron/retention/route.ts')],
        ['/api/cron/webhooks', await import('#app/api/cron/webhooks/route.ts')],
      ] as const)
        for (const token of [secret ?? '', 'undefined', undefined])
          expect((await call(GET, { path, ...(token ? { token } : {}) })).status, path).toBe(401);
    } finally {
      vi.stubEnv('CRON_SECRET', secret);
    }
    // None of them ran.
    expect(await service.db.cronRun.count()).toBe(runs);
  });

  it('waits ten seconds for a lock at most, in each of its transactions', async () => {
    const waits: string[] = [];
    const { GET } = apiPath({
      GET: withCron(
        {
          id: 'lockWait',
          summary: 'Attente',
          tag: 'Tâches planifiées',
          job: 'retention',
          answers: { 200: { description: 'Rien', schema: z.object({}) } },
        },
        (ctx) =>
          transaction(ctx, async (tx) => {
            const { rows } = await sql<{ lock_timeout: string }>`SHOW lock_timeout`.execute(tx);
            waits.push(...rows.map(({ lock_timeout }) => lock_timeout));
            return {};
          }),
      ),
    });
    await call(GET, { path: '/api/cron/retention', token: process.env.CRON_SECRET ?? '' });
    expect(waits).toEqual(['10s']);
  });
});

describe('POST /api/dev/generate', () => {
  const generate = (member: Member, body: unknown) =>
    member.call(dev.POST, { path: '/api/dev/generate', body });
  const IMAGE = { kind: 'image', brief: 'Une bougie' };

  it.each<[string, Record<string, unknown>, number, Record<string, unknown>]>([
    ['success', IMAGE, 201, { status: 'done', charge: 'settled' }],
    ['timeout', IMAGE, 502, { status: 'failed', charge: 'refunded' }],
    ['provider-error', IMAGE, 502, { status: 'failed', charge: 'refunded' }],
    ['cost-divergence', IMAGE, 201, { status: 'done', charge: 'settled' }],
    ['unsafe-svg', { kind: 'vector', brief: 'Une feuille' }, 502, { charge: 'refunded' }],
    ['truncated-svg', { kind: 'vector', brief: 'Une feuille' }, 502, { charge: 'refunded' }],
    ['storage-failure', IMAGE, 500, { status: 'failed', code: 'internal-error', charge: 'refunded' }],
    ['settlement-failure', IMAGE, 201, { status: 'done', chargePending: true, charge: 'open' }],
  ])('the scenario « %s » runs the whole chain', async (scenario, body, status, expected) => {
    const member = await signedIn(service);
    const answer = await generate(member, { ...body, scenario });
    expect(answer.status).toBe(status);
    expect(await read(member, answer.json.id ?? answer.json.error.subject)).toMatchObject(expected);
  });

  it('400 for an unknown scenario', async () => {
    const member = await signedIn(service);
    expect((await generate(member, { ...IMAGE, scenario: 'nope' })).json.error.detail).toBe('scenario');
  });

  it('leaves what it played to the recorded services, where others are live; production has none', () => {
    const configuration = env();
    const { liveProviders } = configuration;
    const shared = globalThis as { atelierStudio?: StudioPorts | undefined };
    const { atelierStudio: kept } = shared;
    const modes = (live: ProviderName[]) => {
      configuration.liveProviders = new Set(live);
      shared.atelierStudio = undefined;
      const { providers, recorded } = studioPorts();
      return [providers.modes.gateway, recorded?.modes.gateway];
    };
    try {
      expect(modes([])).toEqual(['fixtures', undefined]);
      expect(modes(['gateway'])).toEqual(['live', 'fixtures']);
      configuration.isProduction = true;
      expect(modes(['gateway'])).toEqual(['live', undefined]);
    } finally {
      configuration.isProduction = false;
      configuration.liveProviders = liveProviders;
      shared.atelierStudio = kept;
    }
  });

  it('is not there in production, nor open to who may not generate; neither makes a row', async () => {
    const founder = await signedIn(service);
    const reader = await signedIn(service, { role: 'MEMBER', permissions: [] });
    const refused = await generate(reader, { ...IMAGE, scenario: 'success' });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    const configuration = env();
    configuration.isProduction = true;
    try {
      const absent = await generate(founder, { ...IMAGE, scenario: 'success' });
      expect([absent.status, absent.json.error.code]).toEqual([404, 'not_found']);
    } finally {
      configuration.isProduction = false;
    }
    const accountId = { in: [founder.account.id, reader.account.id] };
    expect(await service.db.generation.count({ where: { accountId } })).toBe(0);
  });
});

describe('GET /api/voice-desk', () => {
  const path = '/api/voice-desk';
  it('tells what is missing: by name to a founder, in a sentence to a member', async () => {
    service.ports({ store: null });
    const founder = await signedIn(service);
    expect((await founder.call(desk.GET, { path })).json).toMatchObject({
      ready: false,
      missing: ['default-voice', 'file-store'],
    });
    const member = await signedIn(service, { role: 'MEMBER', permissions: ['generate'] });
    expect((await member.call(desk.GET, { path })).json.missing).toMatch(/fondateur/);
    service.ports({});
  });

  it('gives the library and the quota; a library that fails is told, never kept', async () => {
    const config = { ...TEST_CONFIG, defaultVoiceId: 'Camille0Recorded0001' };
    const member = await signedIn(service);
    clearVoiceLibrary();
    service.ports({ config, providers: recordedProviders(systemClock, 'missing-permission') });
    const broken = (await member.call(desk.GET, { path })).json;
    expect(broken).toMatchObject({ ready: true, quota: null, quotaError: expect.any(String) });
    clearVoiceLibrary();
    service.ports({ config, providers: recordedProviders(systemClock, 'list-unreadable') });
    const unreadable = (await member.call(desk.GET, { path })).json;
    expect(unreadable).toMatchObject({
      ready: true,
      defaultVoiceId: 'Camille0Recorded0001',
      voices: [],
      listError: expect.stringContaining('voix par défaut'),
    });
    service.ports({ config });
    const fine = (await member.call(desk.GET, { path })).json;
    expect(fine).toMatchObject({
      ready: true,
      quota: { used: expect.any(Number), remaining: expect.any(Number) },
    });
    expect(fine.voices.length).toBeGreaterThan(0);
    expect(fine.missing).toBeUndefined();
    expect((await call(desk.GET, { path })).status).toBe(401);
    service.ports({});
  });
});
