/** What is written around the parts of a formula, so that it is read on one line: `(a+b)/(c)`, `x^2`. */
const OPENING = new Map<string, string>([
  ['d', '('],
  ['num', '('],
  ['den', '/('],
  ['rad', '√('],
  ['sup', '^'],
  ['sub', '_'],
]);

/** What is written before a part of a formula, by the name of its element. */
export function beforeMath(name: string): string {
  return OPENING.get(name) ?? '';
}

/** What is written after it. */
export function afterMath(name: string): string {
  return OPENING.get(name)?.endsWith('(') ? ')' : '';
}

/** Signs of the fonts of pictures that Word has, by their place in them. */
const PICTURES = new Map<number, string>([
  [0xe0, '→'],
  [0xfc, '✓'],
  [0xfb, '✗'],
  [0xfe, '☑'],
  [0xa8, '☐'],
  [0x6f, '☐'],
  [0xb7, '•'],
]);

/** The sign of a hexadecimal code; '' for one that only a font knows. */
export function signOf(code: string): string {
  const point = Number.parseInt(code, 16);
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  if (Number.isNaN(point) || point < 0x20 || point > 0xffff || isHalf) return '';
  if (point < 0xe000 || point > 0xf8ff) return String.fromCharCode(point);
  return PICTURES.get(point - 0xf000) ?? '';
}
