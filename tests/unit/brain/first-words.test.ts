import { expect, test } from 'vitest';
import { splitText } from '#lib/brain/text/split-text.ts';

test('a part named by its first words never holds half of a character, however many marks stand before them', () => {
  const titles = [449, 450, 451, 452].map((marks) => {
    const part = `${'*'.repeat(marks)}${'a'.repeat(48)}${'😀'.repeat(20)}`;
    const parts = splitText({ title: 'Carnet', body: `${'Doucement. '.repeat(180).trim()}\n\n${part}` });
    return parts.find(({ body }) => body.startsWith('*'))?.title ?? '';
  });
  for (const title of titles) expect(title).toMatch(/^a{48}(?:😀)*$/u);
});
