import { expect, test } from 'vitest';
import { type Schema, tableOf } from '#app/_docs/reference/fields.ts';

test('a list of the documentation says in French what it is made of', () => {
  const typed = (items: Schema) => {
    const field = { name: 'champ', required: true, schema: { type: 'array', items } };
    return tableOf('Corps', [field], { Memory: { type: 'object' } }, true).join('\n');
  };
  expect(typed({ $ref: '#/components/schemas/Memory' })).toContain('liste d’objets');
  expect(typed({ type: 'string' })).toContain('liste de textes');
  expect(typed({ type: 'array', items: { type: 'integer' } })).toContain('liste de listes d’entiers');
  expect(typed({ anyOf: [{ type: 'number' }, { type: 'null' }] })).toContain('liste de nombres ou null');
});
