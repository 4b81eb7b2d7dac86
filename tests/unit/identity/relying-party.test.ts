import { expect, it, test } from 'vitest';
import { liveChallenge, newChallenge } from '#lib/identity/passkeys/challenges.ts';
import { relyingPartyOf } from '#lib/identity/passkeys/relying-party.ts';

test.each([
  ['https://atelier.exemple.fr', { id: 'atelier.exemple.fr', origin: 'https://atelier.exemple.fr' }],
  [
    'https://atelier.exemple.fr:8443',
    { id: 'atelier.exemple.fr', origin: 'https://atelier.exemple.fr:8443' },
  ],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://atelier.exemple.fr', null],
  ['http://127.0.0.1:3000', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::1]', null],
  ['atelier', null],
])('a passkey of %s belongs to %j', (address, party) => {
  expect(relyingPartyOf(address)).toEqual(party);
});

it('a challenge holds for what it was made for, until its end, and not with a byte changed', () => {
  const now = new Date('2026-11-22T10:00:00Z');
  const use = { purpose: 'sign-in', browserHash: 'b', sessionId: null } as const;
  const text = Buffer.from(newChallenge('secret', use, now)).toString('base64url');
  const at = (ms: number) => new Date(now.getTime() + ms);
  expect(liveChallenge('secret', use, text, at(599_999))).toEqual({ endsAt: at(600_000) });
  expect(liveChallenge('secret', use, text, at(600_000))).toBeNull();
  for (const other of [{ purpose: 'verify' }, { browserHash: 'c' }, { sessionId: 'ses_1' }] as const)
    expect(liveChallenge('secret', { ...use, ...other }, text, now)).toBeNull();
  expect(liveChallenge('another', use, text, now)).toBeNull();
  for (let n = 0; n < 56; n += 1) {
    const bytes = Buffer.from(text, 'base64url');
    bytes[n] = (bytes[n] as number) ^ 1;
    expect(liveChallenge('secret', use, bytes.toString('base64url'), now)).toBeNull();
  }
  for (const short of ['', 'AAAA', text.slice(0, 30)])
    expect(liveChallenge('secret', use, short, now)).toBeNull();
});
