import { expect, test } from 'vitest';
import { findInvisible } from '#lib/core/text/invisible.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('the database marks exactly the characters that are looked for in texts, over all of Unicode', async () => {
  const { rows } = await service.pool.query<{ code: number }>(
    `SELECT code FROM generate_series(1, 1114111) AS code
     WHERE code NOT BETWEEN 55296 AND 57343 AND has_invisible(chr(code))`,
  );
  const found: number[] = [];
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    // Alone, a joiner or a style does nothing that is seen.
    if (findInvisible(String.fromCodePoint(code)).length > 0) found.push(code);
  }
  expect(rows.map(({ code }) => code)).toEqual(found);
});
