import { expect, test } from 'vitest';
import { z } from 'zod';
import { pillarRole } from '#lib/brain/schemas/fields.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';

function refusal(schema: z.ZodType, value: unknown): string | undefined {
  try {
    validate(z.object({ champ: schema }), { champ: value });
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.options.problems?.[0]?.message.replace(/[\u00a0\u202f]/g, ' ');
  }
}

test('the bounds of a refusal are written in French: thousands apart, a decimal comma', () => {
  expect(refusal(z.string().max(20_000), 'x'.repeat(20_001))).toBe('Il faut au plus 20 000 caractères.');
  expect(refusal(z.number().max(12_500), 12_501)).toBe('La valeur doit être d’au plus 12 500.');
  expect(refusal(z.number().min(0.0005), 0)).toBe('La valeur doit être d’au moins 0,0005.');
  expect(refusal(z.string().min(1), '')).toBe('Il faut au moins 1 caractère.');
  expect(refusal(z.number().max(50), 51)).toBe('La valeur doit être d’au plus 50.');
});

test('a fault with a code of its own is told first, and hides no other', () => {
  const schema = z.strictObject({ title: z.string(), pillar: pillarRole });
  let thrown: unknown;
  try {
    validate(schema, { pillar: 'Charte', titre: 'Ton' });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'pillar_invalid' });
  const fields = (thrown as ServiceError).options.problems?.map(({ field }) => field);
  expect(fields).toEqual(['pillar', 'title', 'titre']);
});

test('a choice that one field makes names what the field may be; a choice of shapes cannot', () => {
  const kinds = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('image') }),
    z.strictObject({ kind: z.literal('voice') }),
  ]);
  for (const value of [{ kind: 'photo' }, {}])
    expect(refusal(kinds, value)).toBe('La valeur doit être parmi image, voice.');
  expect(refusal(z.union([z.string(), z.number()]), true)).toBe('La valeur n’est pas valable.');
});
