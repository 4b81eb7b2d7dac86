import { expect, test } from 'vitest';
import { formBytes } from '#app/(cockpit)/espaces/[id]/_menu/form-bytes.ts';

/** Smaller imports are sent through the service itself. */
const DIRECT_FROM_BYTES = 4 * 1024 * 1024;

test('a folder of many small files is measured as it is sent, with what stands between them', async () => {
  const form = new FormData();
  form.set('pillar', 'GUIDELINES');
  let together = 0;
  for (let n = 0; n < 2_000; n += 1) {
    const file = new File(['x'.repeat(2_050)], 'a.md', { type: 'text/markdown' });
    together += file.size;
    form.append('files', file, `Équipe « Été »/Voix et "ton"/Deuxième partie/note-${n}.md`);
  }
  const sent = (await new Response(form).blob()).size;
  expect(together).toBeLessThan(DIRECT_FROM_BYTES);
  expect(sent).toBeGreaterThan(DIRECT_FROM_BYTES);
  expect(formBytes(form)).toBeGreaterThanOrEqual(sent);
});

test('one large file is measured as little more than itself', () => {
  const form = new FormData();
  form.append('files', new File([new Uint8Array(1_000_000)], 'charte.pdf', { type: 'application/pdf' }));
  expect(formBytes(form)).toBeGreaterThan(1_000_000);
  expect(formBytes(form)).toBeLessThan(1_001_000);
});
