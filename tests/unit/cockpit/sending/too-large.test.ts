import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MOST_SENT_BYTES, tooLarge } from '#app/_cockpit/sending/too-large.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

test('a text that no action would take is refused with the figures, and one that just passes is not', () => {
  expect(tooLarge('a'.repeat(MOST_SENT_BYTES))).toBeUndefined();
  expect(tooLarge('a'.repeat(MOST_SENT_BYTES + 1))).toBeDefined();
  expect(tooLarge('é'.repeat(3 * 1024 * 1024))).toMatch(/^Ce texte pèse 6\sMo, .* plus de 4,9\sMo\./);
});

test('a text is measured as a form sends it: in UTF-8, each line end as two', async () => {
  const text = 'é\n'.repeat(1_300_000);
  expect(Buffer.byteLength(text)).toBeLessThan(MOST_SENT_BYTES);
  expect(tooLarge(text)).toBeDefined();
  const form = new FormData();
  form.set('body', 'é\n\r\n\r'.repeat(1_000));
  const around = new FormData();
  around.set('body', '');
  const sizeOf = async (one: FormData) => (await new Response(one).blob()).size;
  expect((await sizeOf(form)) - (await sizeOf(around))).toBe(8_000);
});

test('what is refused in the page is what the actions refuse', () => {
  const config = readFileSync(path.join(repositoryRoot, 'next.config.ts'), 'utf8');
  expect(config).toContain("bodySizeLimit: '5mb'");
  expect(MOST_SENT_BYTES).toBeLessThan(5 * 1024 * 1024);
});
