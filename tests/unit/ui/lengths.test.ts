import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Textarea } from '#app/_ui/form/input.tsx';
import { validate } from '#lib/core/input/validate.ts';
import { nameProblem } from '#lib/identity/members/name-problem.ts';
import { generationRequest } from '#lib/studio/request.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

const refusalOf = (brief: string): string | null => {
  try {
    validate(generationRequest, { kind: 'image', brief });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
const drawn = (defaultValue: string) =>
  renderToStaticMarkup(createElement(Textarea, { maxLength: 8_000, defaultValue }));

test.each([
  ['letters', 'a', 8_000],
  ['emoji, which count two', '🕯', 4_000],
])('a request of %s has the same length in its form, in its refusal and on the server', (_, sign, most) => {
  const fits = sign.repeat(most);
  expect(drawn(fits)).not.toContain('trop long');
  expect(refusalOf(fits)).toBeNull();
  const over = fits + sign;
  expect(drawn(over)).toMatch(/8\s00[12] \/ 8\s000.*trop long/u);
  expect(refusalOf(over)).toBe('brief\u00a0: Il faut au plus 8\u202f000 caractères.');
});

test('a field lets nobody write a name that the server refuses for its length', () => {
  expect([nameProblem('a'.repeat(120)), nameProblem('a'.repeat(121))]).toEqual([null, expect.any(String)]);
  expect(read('app/(cockpit)/compte/controls.tsx')).toContain('autoComplete="name" maxLength={120}');
  const [, most] = /name\.length > (\d+)/.exec(read('lib/identity/keys/create-key.ts')) ?? [];
  expect(read('app/(cockpit)/developpeurs/controls.tsx')).toContain(
    `maxLength={${most}} placeholder="Site de la boutique"`,
  );
});
