import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseGatewayWebhook,
  signGatewayBody,
  verifyGatewaySignature,
} from '#lib/providers/gateway/signature.ts';
import { parseLipsyncWebhook, signLipsyncBody } from '#lib/providers/lipsync/signature.ts';
import { json, liveProviders, scriptedNetwork } from './calls.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const secret = 'whsec_test';
const rawBody = JSON.stringify({ type: 'video.completed', data: { jobId: 'job_1', status: 'completed' } });
const good = signGatewayBody(rawBody, secret, now);
const check = (changes: Partial<Parameters<typeof verifyGatewaySignature>[0]>) =>
  verifyGatewaySignature({ rawBody, signature: good, secret, now, ...changes });

describe('the signature of a video callback', () => {
  test('is HMAC-SHA256 over the time and the raw body', () => {
    const time = now.getTime() / 1_000;
    const digest = createHmac('sha256', secret).update(`${time}.${rawBody}`).digest('hex');
    expect(good).toBe(`t=${time},v1=${digest}`);
    expect(check({})).toEqual({ ok: true });
  });

  test('is good for five minutes either side, to the second', () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    expect(check({ now: at(300) })).toEqual({ ok: true });
    expect(check({ now: at(-300) })).toEqual({ ok: true });
    expect(check({ now: at(301) })).toEqual({ ok: false, reason: 'stale' });
    expect(check({ now: at(-301) })).toEqual({ ok: false, reason: 'stale' });
  });

  test('accepts any one of several digests', () => {
    expect(check({ signature: `${good.replace('v1=', `v1=${'0'.repeat(64)},v1=`)}` })).toEqual({ ok: true });
  });

  test.each([
    ['none', null],
    ['an empty one', ''],
    ['no time', good.replace(/^t=\d+,/, '')],
    ['two times', `t=1,${good}`],
    ['a time that is no number', good.replace(/t=\d+/, 't=1e3')],
    ['no digest', good.replace(/,v1=.*/, '')],
    ['an enormous header', `${good},v1=${'0'.repeat(4_000)}`],
  ])('is malformed with %s', (_, signature) => {
    expect(check({ signature })).toEqual({ ok: false, reason: 'malformed' });
  });

  test.each([
    ['an odd-length digest', good.slice(0, -1)],
    ['another version only', good.replace('v1=', 'v0=')],
    ['a digest that is not hexadecimal', good.replace(/v1=../, 'v1=zz')],
  ])('is refused with %s, without a throw', (_, signature) => {
    expect(check({ signature }).ok).toBe(false);
  });

  test('is read with spaces around its parts, up to 2,000 characters, and no digest may have more than its 64', () => {
    expect(check({ signature: good.replace(',', ' , ') })).toEqual({ ok: true });
    expect(check({ signature: good.padEnd(2_000, ' ') })).toEqual({ ok: true });
    expect(check({ signature: good.padEnd(2_001, ' ') })).toEqual({ ok: false, reason: 'malformed' });
    for (const signature of [good.replace('v1=', 'v1=00'), `${good}00`])
      expect(check({ signature })).toEqual({ ok: false, reason: 'signature' });
  });

  test('is refused without a secret, whatever is signed', () => {
    expect(check({ secret: '', signature: signGatewayBody(rawBody, '', now) }).ok).toBe(false);
  });

  test('binds every byte of the body, the time and the secret', () => {
    fc.assert(
      fc.property(fc.nat(rawBody.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        const other = rawBody.slice(0, at) + character + rawBody.slice(at + 1);
        expect(check({ rawBody: other }).ok).toBe(other === rawBody);
      }),
    );
    expect(check({ secret: `${secret}x` })).toEqual({ ok: false, reason: 'signature' });
    expect(check({ signature: good.replace(/t=(\d+)/, (_, t) => `t=${Number(t) + 1}`) }).ok).toBe(false);
  });

  test('never throws, whatever arrives', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (signature, body, key) => {
        expect(check({ signature, rawBody: body, secret: key }).ok).toBe(false);
      }),
    );
  });
});

describe('the event of a video callback', () => {
  const parse = (body: string, jobId = 'job_1') =>
    parseGatewayWebhook({ rawBody: body, signature: signGatewayBody(body, secret, now), secret, jobId }, now);

  test('says which job ended and how, where it says it', () => {
    expect(parse(rawBody)).toEqual({ outcome: 'event', jobId: 'job_1', status: 'completed' });
    const failed = '{"data":{"jobId":"job_1","status":"error"}}';
    expect(parse(failed)).toEqual({ outcome: 'event', jobId: 'job_1', status: 'error' });
  });

  test('is none when its signature is not good, however good its words', () => {
    const signature = signGatewayBody(rawBody, 'whsec_other', now);
    expect(parseGatewayWebhook({ rawBody, signature, secret, jobId: 'job_1' }, now)).toEqual({
      outcome: 'rejected',
      reason: 'signature',
    });
  });

  test('is refused for another row’s job, even well signed', () => {
    expect(parse(rawBody, 'job_2')).toEqual({ outcome: 'rejected', reason: 'foreign-job' });
  });

  test.each(['', 'null', '[]', '{"data":{}}', '{"type":"video.done","id":1}', '{truncated'])(
    'signed with the row’s secret, %j leads to a read of the status',
    (body) => {
      expect(parse(body)).toEqual({ outcome: 'event', jobId: null, status: null });
    },
  );
});

describe('the callback of a lipsync', () => {
  const body = JSON.stringify({ id: 'job_1', status: 'COMPLETED' });
  const former = 'whsec_former';
  const next = 'whsec_next';
  const parse = (signature: string | null, secrets: readonly string[], at = now) =>
    parseLipsyncWebhook({ rawBody: body, signature, secrets, jobId: 'job_1' }, at);
  const event = { outcome: 'event', jobId: 'job_1', status: 'COMPLETED' };
  const rejected = (reason: string) => ({ outcome: 'rejected', reason });

  test('is believed by either of two secrets while one replaces the other, then by the new one alone', () => {
    const secrets = [next, former];
    const { lipsync } = liveProviders(scriptedNetwork(json({})).fetch, { lipsyncWebhookSecrets: secrets });
    for (const secret of secrets) {
      const signature = signLipsyncBody(body, secret, now);
      expect(lipsync.parseWebhook({ rawBody: body, signature, jobId: 'job_1' })).toEqual(event);
    }
    expect(parse(signLipsyncBody(body, next, now), [next])).toEqual(event);
    expect(parse(signLipsyncBody(body, former, now), [next])).toEqual(rejected('signature'));
  });

  test('is believed by any of several digests, in whatever place, and by a time in seconds as in milliseconds', () => {
    const signature = signLipsyncBody(body, next, now);
    expect(parse(signature.replace('v1=', `v1=${'0'.repeat(64)}, v1=`), [next])).toEqual(event);
    expect(parse(`${signature},v1=${'0'.repeat(64)}`, [next])).toEqual(event);
    expect(parse(signGatewayBody(body, next, now), [next])).toEqual(event);
  });

  test('is good for five minutes either side, and names no other job', () => {
    const signature = signLipsyncBody(body, next, now);
    const at = (ms: number) => new Date(now.getTime() + ms);
    for (const ms of [300_000, -300_000]) expect(parse(signature, [next], at(ms))).toEqual(event);
    for (const ms of [300_001, -300_001]) expect(parse(signature, [next], at(ms))).toEqual(rejected('stale'));
    const call = { rawBody: body, signature, secrets: [next], jobId: 'job_2' };
    expect(parseLipsyncWebhook(call, now)).toEqual(rejected('foreign-job'));
  });

  test('is refused without a header, without a secret, and by a secret that is empty', () => {
    expect(parse(null, [next])).toEqual(rejected('malformed'));
    expect(parse(signLipsyncBody(body, next, now), [])).toEqual(rejected('malformed'));
    expect(parse(signLipsyncBody(body, '', now), [''])).toEqual(rejected('malformed'));
    expect(parse(signLipsyncBody(body, '', now), ['', next])).toEqual(rejected('signature'));
  });
});
