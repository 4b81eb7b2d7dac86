import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedKey } from '#lib/core/text/repeated-key.ts';

const found = (text: string) => repeatedKey(text);

test('a name that one object gives twice is found at any level, however it is written; the same name in two objects is none', () => {
  for (const [text, key] of [
    ['{"title":"a","title":"b"}', 'title'],
    ['{"a":{"b":1},"c":[{"d":1,"d":1}]}', 'd'],
    ['{"title" : 1,\n\t"\\u0074itle"\r: 2}', 'title'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a\\"":1,"a\\"":2}', 'a"'],
    ['{"\\\\":1,"\\\\":2}', '\\'],
    ['{"":1,"":2}', ''],
    ['{"a":1,"a":{"b":1,"c":2}}', 'a'],
    ['{"a":{"b":1},"a":2}', 'a'],
  ] as const)
    expect([text, found(text)]).toEqual([text, key]);
  for (const text of ['[{"a":1},{"a":1}]', '{"a":{"a":"a"}}', '{"a":"\\"a\\":1"}', '"\\":"', 'null', '[]'])
    expect([text, found(text)]).toEqual([text, null]);
});

test('no JSON that a program writes from a value holds one, and any of its names written again is found', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 2 }), fc.string(), fc.jsonValue({ maxDepth: 1 }), (text, key, value) => {
      expect(found(text)).toBeNull();
      const member = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
      expect(found(`[${text},{${member}}]`)).toBeNull();
      expect(found(`[${text},{${member}, ${JSON.stringify(key)}:0}]`)).toBe(key);
    }),
    { numRuns: 50 },
  );
});

test('the longest body is looked through in a time that grows with its length, whatever it holds', () => {
  const length = 130_000;
  for (const text of [
    JSON.stringify('"'.repeat(length / 2)),
    JSON.stringify('\\'.repeat(length / 2)),
    `{${Array.from({ length: length / 10 }, (_, at) => `"${at}":1`).join(',')}}`,
    `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
    `[${'"",'.repeat(length / 3)}""]`,
    `{"a"${' '.repeat(length)}:1}`,
  ]) {
    expect(found(text)).toBeNull();
  }
});
