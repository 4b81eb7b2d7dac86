import { expect, it } from 'vitest';
import { hasOutbox, showsOutbox } from '#lib/http/security/shows-outbox.ts';

const TOKEN = 'outbox-token-of-the-tests-0123456789';
const LOCAL = { isProduction: false, SERVICE_OUTBOX_TOKEN: TOKEN };

it('the outbox opens for its token and nothing else: no header is asked', () => {
  expect(showsOutbox(TOKEN, LOCAL)).toBe(true);
  for (const wrong of [undefined, '', 'x', `${TOKEN}x`, TOKEN.toUpperCase()])
    expect(showsOutbox(wrong, LOCAL)).toBe(false);
});

it('without a token, on the platform and in production there is none', () => {
  for (const token of [undefined, '', TOKEN])
    for (const elsewhere of [
      { isProduction: false },
      { ...LOCAL, VERCEL: '1' },
      { ...LOCAL, isProduction: true },
    ])
      expect([hasOutbox(elsewhere), showsOutbox(token, elsewhere)]).toEqual([false, false]);
});
