import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, expectTypeOf, test } from 'vitest';
import type { WebhookEvent } from '#lib/webhooks/events.ts';
import { newWebhookSecret, sealer } from '#lib/webhooks/secrets.ts';
import {
  AtelierWebhookError,
  type WebhookEvent as ClientEvent,
  verifyWebhook,
} from '../../../packages/client/src/index.ts';

const secret = newWebhookSecret();

/** The headers with which the published library signs a body. */
function signed(body: string, options: { at?: Date; by?: string; id?: string } = {}) {
  const { at = new Date(), by = secret, id = 'evt_1' } = options;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: unknown) => (error instanceof AtelierWebhookError ? error.reason : String(error)),
  );

test('the client’s events are those of the service, field by field', () => {
  expectTypeOf<ClientEvent>().toExtend<WebhookEvent>();
  expectTypeOf<WebhookEvent>().toExtend<ClientEvent>();
});

test('whatever the published library signs is taken, as a text, as bytes and under either secret, and gives what was sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (body) => {
      const headers = signed(body);
      const expected: unknown = JSON.parse(body);
      expect(await verifyWebhook(body, headers, secret)).toEqual(expected);
      // As given by a platform that keeps the case of header names.
      const cased = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.replace(/\bw/g, 'W'), [value]]),
      );
      expect(await verifyWebhook(body, cased, secret)).toEqual(expected);
      const bytes = new TextEncoder().encode(body);
      expect(await verifyWebhook(bytes, new Headers(headers), [newWebhookSecret(), secret])).toEqual(
        expected,
      );
    }),
    { numRuns: 50 },
  );
});

test('another body, identifier, instant, secret or an old posting is refused, and says why', async () => {
  const body = '{"type":"webhook.test"}';
  const headers = signed(body);
  expect(await reasonOf(verifyWebhook(`${body} `, headers, secret))).toBe('signature');
  expect(await reasonOf(verifyWebhook(body, { ...headers, 'webhook-id': 'evt_2' }, secret))).toBe(
    'signature',
  );
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(await reasonOf(verifyWebhook(body, { ...headers, 'webhook-timestamp': later }, secret))).toBe(
    'signature',
  );
  expect(await reasonOf(verifyWebhook(body, headers, newWebhookSecret()))).toBe('signature');
  expect(await reasonOf(verifyWebhook(body, headers, []))).toBe('signature');
  expect(await reasonOf(verifyWebhook(body, headers, ''))).toBe('secret');
  expect(await reasonOf(verifyWebhook(body, headers, 'whsec_AAAA'))).toBe('secret');
  expect(await reasonOf(verifyWebhook(body, {}, secret))).toBe('headers');
  const old = signed(body, { at: new Date(Date.now() - 301_000) });
  expect(await reasonOf(verifyWebhook(body, old, secret))).toBe('timestamp');
  expect(await reasonOf(verifyWebhook(body, { ...headers, 'webhook-timestamp': 'x' }, secret))).toBe(
    'timestamp',
  );
  expect(await reasonOf(verifyWebhook('{', signed('{'), secret))).toBe('body');
  // A valid signature beside invalid ones is still accepted.
  const beside = { ...headers, 'webhook-signature': `v1,AAAA v2,x v1,é ${headers['webhook-signature']}` };
  expect(await reasonOf(verifyWebhook(body, beside, secret))).toBe('taken');
});

test('a sealed secret opens with its key and for its row alone, the former key included', () => {
  const former = sealer(['a former key of the service, long enough']);
  const both = sealer([
    'the new key of the service, long enough',
    'a former key of the service, long enough',
  ]);
  const sealed = former.seal(secret, 'whk_1');
  expect(both.open(sealed, 'whk_1')).toBe(secret);
  expect(both.open(sealed, 'whk_2')).toBeNull();
  expect(former.open(both.seal(secret, 'whk_1'), 'whk_1')).toBeNull();
  expect(both.open(new Uint8Array(5), 'whk_1')).toBeNull();
  const bent = new Uint8Array(sealed);
  bent[bent.length - 1] = (bent.at(-1) ?? 0) ^ 1;
  expect(both.open(bent, 'whk_1')).toBeNull();
});
