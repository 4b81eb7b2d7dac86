import { expect, test } from 'vitest';
import { z } from 'zod';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import { shownAs } from '#lib/core/input/shown-as.ts';
import { validate } from '#lib/core/input/validate.ts';
import { formObject } from '#lib/http/requests/form-object.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';

const NAME = { what: 'Ce nom a été modifié', now: 'Nouveau', next: 'Le mien' };

test('a value is compared as a text: none is empty, and a list has no order', () => {
  expect([null, '', 'a', 12n, ['b', 'a'], ['a b']].map(shownAs)).toEqual([
    '',
    '',
    'a',
    '12',
    '["a","b"]',
    '["a b"]',
  ]);
});

test('a change over what is no longer so is refused, naming each field; what stays, was not shown or stands as asked is none', () => {
  const refusal = (shown: Record<string, string>, more: object = {}) => {
    try {
      requireAsShown(shown, { name: NAME, ...more });
      return null;
    } catch (error) {
      return error;
    }
  };
  expect(refusal({ name: 'Ancien' })).toMatchObject({
    code: 'conflict',
    message:
      'Ce nom a été modifié entre-temps\u00a0: rien n’a été enregistré. Fermez cette fenêtre, puis rouvrez-la pour voir ce qui vaut maintenant.',
    options: { problems: [{ field: 'name', message: 'Ce nom a été modifié entre-temps.' }] },
  });
  const site = { what: 'Ce site a été modifié', now: null, next: 'https://exemple.fr' };
  expect(refusal({ name: 'Ancien', site: 'https://avant.exemple' }, { site })).toMatchObject({
    message: expect.stringMatching(/^Plusieurs champs ont été modifiés entre-temps/),
    options: { problems: [{ field: 'name' }, { field: 'site' }] },
  });
  for (const [shown, more] of [
    [{ name: 'Nouveau' }, {}],
    [{ autre: 'Ancien' }, {}],
    [{}, { constructor: NAME }],
    [{ name: 'Ancien' }, { name: { ...NAME, next: undefined } }],
    [{ name: 'Ancien' }, { name: { ...NAME, next: 'Nouveau' } }],
    [{ name: 'Nouveau', site: '' }, { site }],
  ] as const)
    expect(refusal(shown as Record<string, string>, more)).toBeNull();
  expect(() => requireAsShown(undefined, { name: NAME })).not.toThrow();
});

test('a form says what its page showed, or nothing of it; what cannot be read is refused', () => {
  const schema = z.object({ name: z.string(), shown: shownFields });
  const read = (shown?: string) => {
    const form = new FormData();
    form.set('name', 'Nom');
    if (shown !== undefined) form.set('shown', shown);
    return validate(schema, formObject(schema, form));
  };
  expect(read()).toEqual({ name: 'Nom' });
  expect(read('{"name":"Ancien"}')).toEqual({ name: 'Nom', shown: { name: 'Ancien' } });
  for (const shown of ['', '{', 'null', '[]', '{"name":3}'])
    expect(() => read(shown), shown).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        options: expect.objectContaining({
          problems: [expect.objectContaining({ field: expect.stringMatching(/^shown/) })],
        }),
      }),
    );
});
