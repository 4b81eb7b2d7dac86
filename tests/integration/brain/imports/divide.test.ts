import { expect, test } from 'vitest';
import { splitTextInChild } from '#lib/brain/text/split-in-child.ts';
import { splitText } from '#lib/brain/text/split-text.ts';
import { hostileTexts } from '#tests/factories/files/hostile-files.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';

test('a long text divides apart as it would here', async () => {
  const body = Array.from({ length: 90 }, (_, i) => `## Partie ${i}\n\n${'Une phrase. '.repeat(80)}`).join(
    '\n\n',
  );
  expect(await splitTextInChild('acc_x', { title: 'Livre', body })).toEqual(
    splitText({ title: 'Livre', body }),
  );
});

test('no text that is accepted holds the loop for 100 ms while it divides', async () => {
  const texts = hostileTexts().filter(({ name }) =>
    /^(open-brackets|bold-marks|newlines|nested-headings)\./.test(name),
  );
  expect(texts).toHaveLength(4);
  for (const { name, bytes } of texts)
    for (const length of [65_536, 2_000_000]) {
      const body = Buffer.from(bytes).toString().slice(0, length);
      const { heldMs } = await longestHold(() => splitTextInChild('acc_x', { title: 'Livre', body }));
      expect(heldMs, `${name} ${length}`).toBeLessThan(100);
    }
});
