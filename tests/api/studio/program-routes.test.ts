import { describe, expect, it } from 'vitest';
import * as generations from '#app/api/generations/route.ts';
import * as templates from '#app/api/templates/route.ts';
import * as byKey from '#app/api/v1/generations/route.ts';
import * as wallet from '#app/api/wallet/route.ts';
import { TEMPLATES } from '#lib/studio/templates/registry.ts';
import { makeKey } from '#tests/factories/account.ts';
import { call } from '#tests/setup/api.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';
import { useSpans } from '#tests/setup/traces/record-spans.ts';

const service = useStudioApi();
const spans = useSpans();

describe('what a program reads before it asks', () => {
  it('GET /api/wallet: one’s own, any of the account for a founder, nobody else’s; 401 without a session, 400 for what is no query', async () => {
    const founder = await signedIn(service);
    const stranger = await signedIn(service);
    const own = await founder.call(wallet.GET, { path: '/api/wallet' });
    expect([own.status, own.json.availableUsd]).toEqual([200, 100]);
    const ofStranger = { path: `/api/wallet?memberId=${stranger.member.id}` };
    expect((await founder.call(wallet.GET, ofStranger)).json.error.code).toBe('not_found');
    expect((await call(wallet.GET, { path: '/api/wallet' })).status).toBe(401);
    for (const query of ['memberId=a%00b', 'inconnu=1', 'memberId=x&memberId=y'])
      expect((await founder.call(wallet.GET, { path: `/api/wallet?${query}` })).status).toBe(400);
    expect((await founder.call(wallet.POST, { path: '/api/wallet', method: 'POST' })).status).toBe(405);
  });

  it('GET /api/templates: every template with its fields and sizes; 401 without a session', async () => {
    const member = await signedIn(service);
    const list = await member.call(templates.GET, { path: '/api/templates' });
    expect(list.json.data.map(({ id }: { id: string }) => id)).toEqual(TEMPLATES.map(({ id }) => id));
    expect((await call(templates.GET, { path: '/api/templates' })).status).toBe(401);
  });
});

describe('a generation that its schema refuses', () => {
  it('leaves its span all the same, with the refusal’s code and nothing of what was sent', async () => {
    const member = await signedIn(service);
    for (const body of [{ kind: 'image', brief: 'Une bougie secrète', surplus: 1 }, { kind: 'hologramme' }]) {
      spans.length = 0;
      const answer = await member.call(generations.POST, { path: '/api/generations', body });
      expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid']);
      const [span] = spans.filter(({ name }) => name === 'studio.generation');
      expect(span?.attributes['studio.outcome']).toBe('invalid');
      expect(span?.attributes['studio.member.id']).toBe(member.member.id);
      expect(span?.ended).toBe(true);
      expect(JSON.stringify(span)).not.toMatch(/secrète|surplus|hologramme/);
    }
  });

  it('leaves it too when a program asks by its key', async () => {
    const { member } = await signedIn(service);
    const { secret } = await makeKey(service, member, {
      scopes: ['studio:generate'],
      monthlyCapMicros: 1_000_000n,
    });
    spans.length = 0;
    const answer = await call(byKey.POST, {
      path: '/api/v1/generations',
      token: secret,
      headers: { 'idempotency-key': 'refused' },
      body: { kind: 'hologramme' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid']);
    const [span] = spans.filter(({ name }) => name === 'studio.generation');
    expect(span?.attributes).toMatchObject({
      'studio.outcome': 'invalid',
      'studio.member.id': member.id,
    });
    expect(JSON.stringify(span)).not.toContain('hologramme');
  });
});
