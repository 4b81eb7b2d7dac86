import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import { onlyOne, severalWords, variantsOf } from '#app/_studio/composer/draft/variants.ts';
import { endedWords, standOf } from '#app/_studio/composer/result/stand.ts';
import { isLost, isPaid } from '#app/_studio/composer/sending/post-request.ts';
import { ApiError } from '#app/_ui/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

describe('how many generations a draft asks for', () => {
  it('is what was chosen, and one where the same file would come out each time', () => {
    const draft = { ...EMPTY_DRAFT, variants: 4 };
    for (const kind of ['image', 'vector', 'voice', 'video'] as const)
      expect(variantsOf({ ...draft, kind }), kind).toBe(4);
    for (const kind of ['lipsync', 'render'] as const) expect(variantsOf({ ...draft, kind }), kind).toBe(1);
    expect(onlyOne({ ...draft, seed: '7' })).toBe('seed');
    expect(variantsOf({ ...draft, seed: '7' })).toBe(1);
    // The seed of an image does not concern a voice.
    expect(variantsOf({ ...draft, kind: 'voice', seed: '7' })).toBe(4);
    expect(onlyOne({ ...draft, imageCase: 'image-upscale' })).toBe('never');
  });

  it('is said by the button only when there are several', () => {
    expect(severalWords('image', 1)).toBe('');
    expect(severalWords('image', 4)).toBe('4\u00a0images');
    expect(severalWords('voice', 2)).toBe('2\u00a0voix');
  });
});

it('a request stands as what is left to wait for, else as what came out of it', () => {
  const row = (status: string) => ({ status }) as GenerationView;
  const shown = (...statuses: string[]) => ({ sent: null, rows: statuses.map(row), focus: null });
  expect(standOf(shown('done', 'running'))).toBe('running');
  expect(standOf(shown('failed', 'done'))).toBe('done');
  expect(standOf(shown('failed', 'failed'))).toBe('failed');
  expect(standOf({ ...shown('failed', 'done'), focus: row('failed') })).toBe('failed');
  expect(standOf(shown())).toBe('sending');
});

it('several generations say how they ended: one whose file was deleted since was delivered, and debited', () => {
  const rows = (...statuses: GenerationView['status'][]) => statuses.map((status) => ({ status }));
  expect(endedWords(rows('done', 'running'))).toBe('1 sur 2 terminée.');
  expect(endedWords(rows('done', 'failed', 'running'))).toBe('2 sur 3 terminées.');
  expect(endedWords(rows('done', 'done', 'failed', 'deleted'))).toBe(
    '2\u00a0livrées, 1\u00a0supprimée, 1\u00a0non débitée.',
  );
  expect(endedWords(rows('done', 'done'))).toBe('2\u00a0livrées.');
  expect(endedWords(rows('failed', 'failed'))).toBe('0\u00a0livrée, 2\u00a0non débitées.');
});

it('a request was paid for as long as one of its rows runs or was debited, its files deleted since or not', () => {
  expect(isPaid([{ status: 'running', charge: 'open' }])).toBe(true);
  expect(isPaid([{ status: 'done', charge: 'open' }])).toBe(true);
  // The same request would be a second payment, and needs a confirmation.
  expect(isPaid([{ status: 'deleted', charge: 'settled' }])).toBe(true);
  expect(isPaid([{ status: 'failed', charge: 'refunded' }])).toBe(false);
  expect(isPaid([{ status: 'cancelled', charge: 'none' }])).toBe(false);
});

it('an error leaves unknown what became of a request unless it names its row or refuses it after its key was read', () => {
  const error = (status: number, code: string, subject?: string) =>
    new ApiError(status, { code, message: '', ...(subject ? { subject } : {}) });
  expect(isLost(new Error('cut'))).toBe(true);
  expect(isLost(error(0, 'network'))).toBe(true);
  expect(isLost(error(429, 'rate_limited'))).toBe(true);
  expect(isLost(error(500, 'internal-error'))).toBe(true);
  // Without an answer of the database, the row may be written and the provider paid.
  expect(isLost(error(503, 'unavailable'))).toBe(true);
  // Its key has made a row, which must be looked up.
  expect(isLost(error(409, 'idempotency_conflict'))).toBe(true);
  expect(isLost(error(503, 'not_configured'))).toBe(false);
  expect(isLost(error(500, 'internal-error', 'gen_x'))).toBe(false);
  expect(isLost(error(402, 'balance'))).toBe(false);
});
