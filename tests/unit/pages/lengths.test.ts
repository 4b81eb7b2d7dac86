import { globSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ignoredNote, readAddress } from '#app/_studio/journal/filters/read-address.ts';
import { Textarea } from '#app/_ui/form/input.tsx';
import type { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { nameProblem } from '#lib/identity/members/name-problem.ts';
import { emailProblem } from '#lib/identity/sign-in/email.ts';
import { productProposalBody } from '#lib/products/proposals/schema.ts';
import { generationRequest } from '#lib/studio/request.ts';
import { requireName } from '#lib/studio/saved-filters/saved-filters.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');

/** The sentence about the field of a refusal. */
const sentenceOf = (run: () => unknown) => {
  try {
    run();
    return { sentence: null };
  } catch (error) {
    return { sentence: (error as ServiceError).options.problems?.[0]?.message };
  }
};

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

/** The tags of the app's sources that cut what is typed or pasted: a `Textarea` does not, it counts. */
const cutting = globSync('app/**/*.tsx', { cwd: ROOT })
  .sort()
  .flatMap((file) => {
    const source = read(file);
    return [...source.matchAll(/\bmaxLength=|\bmaxLength: \d/g)].flatMap(({ index }) => {
      const tag = source
        .slice(0, index)
        .match(/<[A-Za-z]+/g)
        ?.at(-1);
      return tag === '<Textarea' || file.startsWith('app/_docs/') ? [] : [file];
    });
  });

test('no field of one line cuts what is pasted into it: the server names the field and its limit', () => {
  // The addresses of two searches would not bear any length: their pages say how much of a text is searched.
  expect(cutting).toEqual([
    'app/(cockpit)/recherche/search-controls.tsx',
    'app/_studio/journal/filters/filter-form.tsx',
  ]);
  expect([nameProblem('a'.repeat(120)), nameProblem('a'.repeat(121))]).toEqual([
    null,
    'Le nom compte de 1 à 120 caractères.',
  ]);
  expect(emailProblem(`${'a'.repeat(250)}@exemple.fr`)).toBe(
    'Une adresse e-mail compte au plus 254 caractères.',
  );
  const { sentence } = sentenceOf(() => requireName('a'.repeat(300)));
  expect(sentence).toBe('Ce nom compte de 1 à 60 caractères.');
  // Judged by the registry's own rule, which says 40.
  expect(productProposalBody.safeParse({ id: 'a'.repeat(100) }).success).toBe(true);
});

test('a search of the journal that is too long is told as that, not as a filter that is not valid', () => {
  const note = (q: string) => ignoredNote(readAddress({ q }), { q });
  expect(note('a'.repeat(200))).toBeNull();
  expect(note('a'.repeat(201))).toMatch(/ recherche\. La recherche compte au plus 200 caractères\.$/);
});
