import { describe, expect, it } from 'vitest';
import { type ProviderName, parseEnv } from '#lib/core/env.ts';
import type { LogFields } from '#lib/core/log.ts';
import { logIncompleteProviders } from '#lib/http/boot/log-providers.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const template = findTemplate('quote-card');
if (!template) throw new Error('quote-card is gone');

const REQUESTS: [ProviderName, Record<string, unknown>][] = [
  ['gateway', { kind: 'image', brief: 'Une bougie' }],
  ['gateway', { kind: 'vector', brief: 'Une flamme' }],
  ['gateway', { kind: 'video', case: 'veo', brief: 'Une flamme' }],
  ['elevenlabs', { kind: 'voice', text: 'Bonjour', voiceId: 'Camille0Recorded0001' }],
  ['lipsync', { kind: 'lipsync', voiceGenerationId: 'gen_x', character: 'upl_x' }],
  [
    'github',
    { kind: 'render', template: template.id, size: template.sizes[0]?.id, fields: exampleFields(template) },
  ],
];

/** A production that serves these services alone; nothing outside may be called. */
function production(scene: StudioScene, live: ProviderName[]) {
  const all: ProviderName[] = ['gateway', 'elevenlabs', 'lipsync', 'github'];
  const calls: string[] = [];
  const providers = createProviders({
    live: new Set(live),
    absent: new Set(all.filter((one) => !live.includes(one))),
    clock: scene.clock,
    secrets: {},
    fetch: async (url) => {
      calls.push(url);
      return new Response(null, { status: 500 });
    },
    recordedFetch: async (url) => {
      calls.push(url);
      return new Response(null, { status: 500 });
    },
  });
  return { ctx: scene.with({ providers }), calls };
}

describe('a service that production does not serve', () => {
  it.each(REQUESTS)('%s: not_configured before any row, reserve or call (%o)', async (name, body) => {
    const scene = await studioScene(service);
    const { ctx, calls } = production(scene, []);
    await expect(submitGeneration(ctx, { request: request(body) })).rejects.toMatchObject({
      code: 'not_configured',
      options: { detail: name },
    });
    expect(calls).toEqual([]);
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(0);
    expect(
      await service.db.ledgerLine.count({ where: { memberId: scene.owner.memberId, kind: 'RESERVE' } }),
    ).toBe(0);
  });

  it('says so itself, and never opens a recorded file', async () => {
    const scene = await studioScene(service);
    const { voice, image, openRecorded } = production(scene, []).ctx.studio.providers;
    expect(await voice.listVoices()).toMatchObject({ outcome: 'failed', reason: 'not-configured' });
    expect(await image.generate({ case: 'image-fast', prompt: 'x', aspectRatio: '1:1' })).toMatchObject({
      reason: 'not-configured',
    });
    expect(await openRecorded('https://recorded.invalid/e30.mp4')).toBeUndefined();
  });

  it('is named at boot, with what a listed one lacks, never a value', () => {
    const source = {
      SERVICE_ENV: 'production',
      DATABASE_URL: 'postgresql://localhost/x',
      SERVICE_SESSION_SECRET: 's'.repeat(32),
      CRON_SECRET: 'c'.repeat(16),
      CALLBACK_SECRET: 'k'.repeat(16),
      SERVICE_SMTP_URL: 'smtps://mail.example',
      SERVICE_PUBLIC_URL: 'https://atelier.example',
      AI_GATEWAY_API_KEY: 'gateway-key-that-is-secret',
    };
    const lines: [string, LogFields | undefined][] = [];
    const keep = (event: string, fields?: LogFields) => void lines.push([event, fields]);
    for (const listed of ['live', 'gateway'])
      logIncompleteProviders(parseEnv({ ...source, SERVICE_PROVIDERS: listed }), {
        debug: keep,
        info: keep,
        warn: keep,
        error: keep,
      });
    expect(lines).toContainEqual([
      'providers.incomplete',
      { service: 'lipsync', missing: ['LIPSYNC_API_KEY', 'LIPSYNC_WEBHOOK_SECRET'] },
    ]);
    expect(lines).toContainEqual(['providers.absent', { services: ['elevenlabs', 'lipsync', 'github'] }]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
