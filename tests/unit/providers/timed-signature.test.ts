import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseLipsyncWebhook, signLipsyncBody } from '#lib/providers/lipsync/signature.ts';
import { signTimedBody, verifyTimedSignature } from '#lib/providers/timed-signature.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const rawBody = '{"id":"job_é"}';
const secret = 'whsec_one';
const other = 'whsec_two';
const NONE = '0'.repeat(64);
const digest = (time: string, by = secret) =>
  createHmac('sha256', by).update(`${time}.${rawBody}`).digest('hex');
/** A header whose digest is right for `time` as it is written, valid or not. */
const signed = (time: string, by = secret) => `t=${time},v1=${digest(time, by)}`;
const good = signTimedBody(rawBody, secret, NOW_MS);
const check = (changes: Partial<Parameters<typeof verifyTimedSignature>[0]> = {}) =>
  verifyTimedSignature({
    rawBody,
    signature: good,
    secrets: [secret],
    now: new Date(NOW_MS),
    sentMs: (ms) => ms,
    ...changes,
  });
const refused = (reason: string) => ({ ok: false, reason });

describe('a signature with its time', () => {
  test('is good for five minutes either side to the millisecond, late or from a clock that is ahead, and not one past', () => {
    expect(good).toBe(signed(String(NOW_MS)));
    for (const ms of [0, 1, 299_999, 300_000]) {
      expect(check({ now: new Date(NOW_MS + ms) })).toEqual({ ok: true });
      expect(check({ now: new Date(NOW_MS - ms) })).toEqual({ ok: true });
    }
    for (const ms of [300_001, 86_400_000]) {
      expect(check({ now: new Date(NOW_MS + ms) })).toEqual(refused('stale'));
      expect(check({ now: new Date(NOW_MS - ms) })).toEqual(refused('stale'));
    }
  });

  test('has the time that its service reads in it, and none that cannot be read', () => {
    const seconds = signed(String(NOW_MS / 1_000));
    expect(check({ signature: seconds, sentMs: (time) => time * 1_000 })).toEqual({ ok: true });
    expect(check({ signature: seconds })).toEqual(refused('stale'));
    expect(check({ sentMs: () => Number.NaN })).toEqual(refused('stale'));
  });

  test('is told wrong before it is told late: who cannot sign learns nothing of the clock', () => {
    const now = new Date(NOW_MS + 86_400_000);
    expect(check({ now, secrets: [other] })).toEqual(refused('signature'));
    expect(check({ now })).toEqual(refused('stale'));
  });

  test('is good by any of its digests with any of the secrets, in whatever order, and by none of either', () => {
    const [first, second] = [digest(String(NOW_MS)), digest(String(NOW_MS), other)];
    const time = `t=${NOW_MS}`;
    const secrets = [secret, other];
    for (const signature of [
      `${time},v1=${second}`,
      `${time},v1=${NONE},v1=${second}`,
      `${time},v1=${second},v1=${NONE}`,
      `v1=${first},${time}`,
      `v1=${NONE},${time},v0=${NONE},v1=${first}`,
      `${time},v1=zz,v1=,v1,v1=${first}`,
      `${time},v1=${first.toUpperCase()}`,
    ])
      expect(check({ signature, secrets }), signature).toEqual({ ok: true });
    for (const signature of [`${time},v1=${NONE},v1=${NONE}`, `${time},v0=${first},v1=${NONE}`, `${time},v1`])
      expect(check({ signature, secrets }), signature).toEqual(refused('signature'));
    expect(check({ signature: `${time},v1=${second}` })).toEqual(refused('signature'));
    expect(check({ secrets: ['', secret] })).toEqual({ ok: true });
  });

  test.each([
    ['no part at all', ','],
    ['an empty time, however well signed', signed('')],
    ['a time without a value', `t,v1=${digest('')}`],
    ['the same time twice', `t=${NOW_MS},${good}`],
    ['a time below nothing', signed('-1')],
    ['a time with a fraction', signed(`${NOW_MS}.0`)],
    ['a time with a letter before', signed(`x${NOW_MS}`)],
    ['a time with a letter after', signed(`${NOW_MS}x`)],
    ['a time in other digits', signed('١٢٣')],
    ['a time of sixteen digits', signed('9'.repeat(16))],
    ['no digest', `t=${NOW_MS}`],
    ['digests of another version alone', `t=${NOW_MS},v0=${digest(String(NOW_MS))}`],
    ['a name in capitals', good.replace('t=', 'T=')],
  ])('is malformed with %s', (_, signature) => {
    expect(check({ signature })).toEqual(refused('malformed'));
  });

  test('has a time of fifteen digits at most: one that long is read, and is far from now', () => {
    const signature = signed('9'.repeat(15));
    expect(check({ signature })).toEqual(refused('stale'));
    expect(check({ signature, now: new Date(NOW_MS), sentMs: () => NOW_MS })).toEqual({ ok: true });
    expect(check({ signature: signed('0'), now: new Date(0) })).toEqual({ ok: true });
  });

  test('needs a header, of 2,000 characters at most, and a secret that is not empty', () => {
    for (const signature of [null, '', good.padEnd(2_001, ' ')])
      expect(check({ signature })).toEqual(refused('malformed'));
    expect(check({ signature: good.padEnd(2_000, ' ') })).toEqual({ ok: true });
    for (const secrets of [[], [''], ['', '']])
      expect(check({ secrets, signature: signed(String(NOW_MS), '') })).toEqual(refused('malformed'));
  });
});

describe('the callback of a lipsync', () => {
  const parse = (body: string, at: Date, signature: string) =>
    parseLipsyncWebhook({ rawBody: body, signature, secrets: [secret], jobId: 'job_1' }, at);
  const event = { outcome: 'event', jobId: 'job_1', status: 'COMPLETED' };

  test('has a time in milliseconds from a hundred billion on, in seconds below', () => {
    const body = '{"id":"job_1","status":"COMPLETED"}';
    const at = (time: number, ms: number) => parse(body, new Date(ms), signTimedBody(body, secret, time));
    expect(at(100_000_000_000, 100_000_000_000)).toEqual(event);
    expect(at(99_999_999_999, 99_999_999_999_000)).toEqual(event);
    expect(at(99_999_999_999, 99_999_999_999)).toEqual({ outcome: 'rejected', reason: 'stale' });
  });

  test.each(['', 'null', '[]', '"job_1"', '{"id":""}', '{"id":7,"status":8}', '{truncated'])(
    'of which %j says no job leads to a read of the status',
    (body) => {
      const at = new Date(NOW_MS);
      expect(parse(body, at, signLipsyncBody(body, secret, at))).toEqual({
        outcome: 'event',
        jobId: null,
        status: null,
      });
    },
  );

  test('tells what it says of one even where another part cannot be read', () => {
    const at = new Date(NOW_MS);
    const tell = (body: string) => parse(body, at, signLipsyncBody(body, secret, at));
    expect(tell('{"id":7,"status":"COMPLETED"}')).toEqual({ ...event, jobId: null });
    expect(tell('{"id":"job_1","status":8}')).toEqual({ ...event, status: null });
  });
});
