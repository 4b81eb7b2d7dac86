import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signCallback, splitSecrets, verifyCallback } from '#lib/studio/renders/render-signature.ts';

/** The test vector that the Standard Webhooks reference libraries share: both our sides must agree with it. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  sentAt: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const { secret, id, sentAt, body } = VECTOR;
const signed = () => signCallback(body, { id, secret, sentAt });
const later = (seconds: number) => new Date(sentAt.getTime() + seconds * 1000);
const verify = (
  headers: Record<string, string>,
  secrets: string[],
  now = sentAt,
  raw: string | Uint8Array = body,
) => verifyCallback(raw, new Headers(headers), secrets, now);

describe('render callback signature', () => {
  it('agrees with the published Standard Webhooks vector, both ways', () => {
    expect(signed()).toEqual({
      'webhook-id': id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    });
    expect(verify(signed(), [secret])).toEqual({ valid: true, id, sentAt });
  });

  it('agrees with the published library on any text, each verifying what the other signed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' }), (name, text) => {
        const sentAt = new Date();
        const messageId = encodeURIComponent(name.toWellFormed());
        const payload = text.toWellFormed();
        const ours = signCallback(payload, { id: messageId, secret, sentAt });
        const library = new Webhook(secret);
        expect(ours['webhook-signature']).toBe(library.sign(messageId, sentAt, payload));
        library.verify(payload, ours, { jsonParse: false });
        expect(verify(ours, [secret], sentAt, payload).valid).toBe(true);
      }),
    );
  });

  it('takes a secret without prefix as its own bytes', () => {
    const raw = 'a-raw-secret-of-enough-length';
    const encoded = `whsec_${Buffer.from(raw).toString('base64')}`;
    const headers = signCallback(body, { id, secret: raw, sentAt });
    expect(verify({ ...headers }, [encoded]).valid).toBe(true);
  });

  it('accepts either of two active secrets, and any one of several signatures', () => {
    const other = 'another-secret-of-enough-length';
    expect(verify(signed(), [other, secret]).valid).toBe(true);
    const foreign = signCallback(body, { id, secret: other, sentAt })['webhook-signature'];
    const both = { ...signed(), 'webhook-signature': `v1a,xyz ${foreign} ${VECTOR.signature}` };
    expect(verify(both, [secret]).valid).toBe(true);
    expect(verify(signed(), [other])).toEqual({ valid: false, reason: 'signature-invalid' });
  });

  it('is valid for five minutes either way and not a second more', () => {
    expect(verify(signed(), [secret], later(300)).valid).toBe(true);
    expect(verify(signed(), [secret], later(301))).toEqual({ valid: false, reason: 'too-old' });
    expect(verify(signed(), [secret], later(-300)).valid).toBe(true);
    expect(verify(signed(), [secret], later(-301))).toEqual({ valid: false, reason: 'too-new' });
  });

  it('refuses any change to the body, the id or the timestamp', () => {
    expect(verify(signed(), [secret], sentAt, `${body} `).valid).toBe(false);
    expect(verify({ ...signed(), 'webhook-id': 'msg_other' }, [secret]).valid).toBe(false);
    expect(verify({ ...signed(), 'webhook-timestamp': '1614265331' }, [secret]).valid).toBe(false);
  });

  it('fails closed: no secret, weak secret, missing or malformed header', () => {
    for (const secrets of [[], [''], ['short'], ['whsec_'], ['whsec_not base64!!']])
      expect(verify(signed(), secrets)).toEqual({ valid: false, reason: 'no-secret' });
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(verify({ ...signed(), [name]: '' }, [secret])).toEqual({
        valid: false,
        reason: 'header-missing',
      });
    for (const timestamp of ['soon', '-5', '1e9', '1614265330.5', '99999999999999'])
      expect(verify({ ...signed(), 'webhook-timestamp': timestamp }, [secret])).toEqual({
        valid: false,
        reason: 'timestamp-invalid',
      });
    for (const signature of [
      'v1',
      'v1,',
      'v2,abc',
      VECTOR.signature.slice(3),
      'v1,AAAA',
      `v1,${'A'.repeat(5000)}`,
    ])
      expect(verify({ ...signed(), 'webhook-signature': signature }, [secret]).valid).toBe(false);
    expect(() => signCallback(body, { id, secret: 'short', sentAt })).toThrow(/secret/);
  });

  it('takes a secret of sixteen bytes and no fewer, spaces around it left out, and base64 alone after its prefix', () => {
    const at = (length: number) => 'k'.repeat(length);
    expect(verify(signCallback(body, { id, secret: ` ${at(16)}\n`, sentAt }), [at(16)]).valid).toBe(true);
    expect(() => signCallback(body, { id, secret: at(15), sentAt })).toThrow(/secret/);
    const encoded = Buffer.from(at(24)).toString('base64');
    for (const wrong of [`!${encoded}`, `${encoded}!`, `${encoded}===`])
      expect(() => signCallback(body, { id, secret: `whsec_${wrong}`, sentAt })).toThrow(/secret/);
  });

  it('looks at sixteen signatures, those of its version alone, and verifies text and bytes alike', () => {
    const many = (others: number, mine: string) =>
      verify({ ...signed(), 'webhook-signature': `${'v1,AAAA '.repeat(others)}${mine}` }, [secret]).valid;
    expect(many(15, VECTOR.signature)).toBe(true);
    expect(many(16, VECTOR.signature)).toBe(false);
    expect(many(0, VECTOR.signature.replace('v1,', 'v2,'))).toBe(false);
    const accented = 'é'.repeat(3);
    const headers = signCallback(accented, { id, secret, sentAt });
    expect(verify(headers, [secret], sentAt, Buffer.from(accented)).valid).toBe(true);
    expect(verify(headers, [secret], sentAt, accented).valid).toBe(true);
  });

  it('reads one or two secrets from the configuration', () => {
    expect(splitSecrets(' one , two ,')).toEqual(['one', 'two']);
    expect(splitSecrets(undefined)).toEqual([]);
  });
});
