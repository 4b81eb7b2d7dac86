import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unstorableText } from '#lib/core/input/storable-text.ts';

describe('texts that can be stored', () => {
  test('any JSON of well-formed texts without NUL passes; one such text anywhere in it is named by its place', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\u0000'));
    const key = text.filter((one) => one !== '' && !one.includes('.'));
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 4 }),
        fc.dictionary(key, tie('json'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(
        json,
        key,
        fc.constantFrom('\u0000', 'a\u0000', '\ud800', 'a\udc00b'),
        (value, name, bad) => {
          expect(unstorableText(value)).toBeNull();
          const field = name.slice(0, 100).toWellFormed();
          expect(unstorableText({ [name]: bad })?.field).toBe(field);
          expect(unstorableText({ avant: value, [`x${name}`]: [value, { dans: bad }] })?.field).toBe(
            `${`x${name}`.slice(0, 100).toWellFormed()}.1.dans`,
          );
          expect(unstorableText({ [`${bad}x`]: 1 })).not.toBeNull();
        },
      ),
    );
  });

  test('a value nested 100,000 deep is refused under the name of its field, without using up the stack', () => {
    const deep = JSON.parse(`{"a":1,"regles":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(unstorableText(deep)?.field).toBe('regles');
  });

  test('a long name is told by its beginning, and what tells it is valid Unicode too', () => {
    for (const name of ['🪔'.repeat(60), `a${'🪔'.repeat(60)}`]) {
      const field = unstorableText({ [name]: '\u0000' })?.field ?? '';
      expect([field.isWellFormed(), field.length]).toEqual([true, 100]);
    }
  });

  test('of several faults the first one is told', () => {
    expect(unstorableText({ a: { b: '\u0000' }, c: '\u0000' })?.field).toBe('a.b');
  });
});
