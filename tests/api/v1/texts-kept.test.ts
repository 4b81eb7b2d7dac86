import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GET as read } from '#app/api/v1/memories/[id]/route.ts';
import { POST as add } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { isBlank } from '#lib/core/text/blank.ts';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { call, freshIdempotencyKey, useApi } from '#tests/setup/api.ts';

const service = useApi();

/** What editors, systems and attackers put into texts, and anything else. */
const part = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      '\t',
      ' ',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u202e',
      'e\u0301',
      'é',
      '\u212b',
      'ﬁ',
      '👩\u200d🎨',
      '🏴',
      '\u{10ffff}',
      '\ufffe',
      '\u0001',
      '"',
      '\\',
      'mot',
    ),
  },
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('\u0000', '\ud800', 'a\udc00') },
);
const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));

test('every title and body that is accepted is read back as it was sent, character for character; every other is refused under its field', async () => {
  const { account, member } = await makeAccount(service, { capacityCu: 1_000 });
  const token = (await makeKey(service, member)).secret;
  const { id } = await makeSpace(service, account.id);
  const isText = (one: string) => one.isWellFormed() && !one.includes('\u0000');
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(text, text, async (title, body) => {
      await service.pool.query('DELETE FROM "RateLimitWindow"');
      const { status, json } = await call(add, {
        path: `/api/v1/spaces/${id}/memories`,
        params: { id },
        token,
        headers: { 'idempotency-key': freshIdempotencyKey() },
        body: { pillar: 'KNOWLEDGE', title, body },
      });
      const isTitle = isText(title) && !isBlank(title) && title.trim().length <= 200;
      const isBody = isText(body) && body !== '';
      if (isTitle && isBody) {
        kept += 1;
        expect(status).toBe(201);
        const path = `/api/v1/memories/${json.id}`;
        const memory = (await call(read, { path, params: { id: json.id }, token })).json;
        expect([memory.title, memory.body]).toEqual([title.trim(), body]);
      } else {
        expect(status).toBe(400);
        const fields = json.error.problems.map(({ field }: { field: string }) => field);
        expect(fields).toContain(isTitle ? 'body' : fields.includes('body') && !isBody ? 'body' : 'title');
      }
      expect(await service.db.memory.count({ where: { accountId: account.id } })).toBe(kept);
    }),
    { numRuns: 60 },
  );
  expect(kept).toBeGreaterThan(5);
});
