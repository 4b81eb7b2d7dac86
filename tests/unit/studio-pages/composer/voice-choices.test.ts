import { expect, test } from 'vitest';
import { voiceLabels } from '#app/_studio/composer/fields/kinds/voice-choices.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

const voice = (brief: string, createdAt: string) =>
  ({ kind: 'VOICE', params: { brief }, createdAt }) as unknown as GenerationView;
const START = 'Bonjour, et bienvenue chez Maison Lumen. '.repeat(3);

test('voices that begin with the same words are told apart by their moment, those of one minute by a number', () => {
  const labels = voiceLabels([
    voice(`${START}Ce soir.`, '2026-11-21T13:03:00.000Z'),
    voice('Au revoir.', '2026-11-21T12:00:00.000Z'),
    voice(`${START}Demain.`, '2026-11-21T10:28:10.000Z'),
    voice(`${START}Hier.`, '2026-11-21T10:28:10.000Z'),
  ]);
  expect(new Set(labels).size).toBe(4);
  expect(labels[0]).toMatch(/^21\/11\/2026,?\s14:03 · Bonjour, et bienvenue/);
  expect(labels[1]).toBe('Au revoir.');
  expect(labels[2]).toMatch(/^n°\s1 · 21\/11\/2026,?\s11:28 · Bonjour/);
  expect(labels[3]).toMatch(/^n°\s2 · 21\/11\/2026,?\s11:28 · Bonjour/);
});
