import { describe, expect, test } from 'vitest';
import { checkSvg } from '#lib/studio/vector/svg-allow-list.ts';
import { SVG_ATTRIBUTES } from '#lib/studio/vector/svg-vocabulary.ts';
import { picture } from './svg-attacks.ts';

const NS = 'xmlns="http://www.w3.org/2000/svg"';
const reasonOf = (source: string) => {
  const verdict = checkSvg(source);
  return verdict.ok ? 'accepted' : verdict.reason;
};
const root = (attributes: string) => checkSvg(`<svg ${NS} ${attributes}><path d="M0 0"/></svg>`);
const sizeOf = (attributes: string) => {
  const verdict = root(attributes);
  return verdict.ok ? [verdict.width, verdict.height] : verdict.reason;
};

describe('each limit of an SVG is where it is said, to the unit', () => {
  test('65,536 bytes of UTF-8', () => {
    const padded = (bytes: number) => {
      const bare = Buffer.byteLength(picture('<!--é-->'));
      return picture(`<!--é${' '.repeat(bytes - bare)}-->`);
    };
    expect(reasonOf(padded(65_536))).toBe('accepted');
    expect(reasonOf(padded(65_537))).toBe('too-large');
  });

  test('2,000 elements', () => {
    expect(checkSvg(picture('<g/>'.repeat(1_998)))).toMatchObject({ ok: true, elements: 2_000 });
    expect(reasonOf(picture('<g/>'.repeat(1_999)))).toBe('too-many');
  });

  test('32 levels', () => {
    const nested = (levels: number) => picture('<g>'.repeat(levels - 1) + '</g>'.repeat(levels - 1));
    expect(reasonOf(nested(32))).toBe('accepted');
    expect(reasonOf(nested(33))).toBe('too-deep');
  });

  test('40 attributes on an element', () => {
    const accepted = [...SVG_ATTRIBUTES.keys()]
      .filter((name) => !name.includes(':'))
      .map((name) => `${name}="1"`)
      .filter((one) => reasonOf(picture(`<g ${one}/>`)) === 'accepted');
    expect(accepted.length).toBeGreaterThan(40);
    expect(reasonOf(picture(`<g ${accepted.slice(0, 40).join(' ')}/>`))).toBe('accepted');
    expect(reasonOf(picture(`<g ${accepted.slice(0, 41).join(' ')}/>`))).toBe('too-many');
  });

  test('10,000 elements once every reference is followed', () => {
    // The picture and its path count 2, the symbol 1,110, and each of the eight uses 1,111.
    const used = `<symbol id="s">${'<path d="M0 0"/>'.repeat(1_109)}</symbol>${'<use href="#s"/>'.repeat(8)}`;
    expect(reasonOf(picture(used))).toBe('accepted');
    expect(reasonOf(picture(`${used}<g/>`))).toBe('expansion');
  });

  test('100,000 units a side, where it begins and how far it goes', () => {
    expect(sizeOf('viewBox="0 0 100000 100000"')).toEqual([100_000, 100_000]);
    expect(sizeOf('viewBox="-100000 0 9 9"')).toEqual([9, 9]);
    for (const viewBox of ['100001 0 9 9', '0 -100001 9 9', '0 0 100001 9', '0 0 9 100001'])
      expect(sizeOf(`viewBox="${viewBox}" width="9" height="9"`)).toBe('size');
    expect(sizeOf('viewBox="0 0 9 9" width="100000" height="100000px"')).toEqual([100_000, 100_000]);
    expect(sizeOf('viewBox="0 0 9 9" width="100001" height="1"')).toBe('size');
    expect(sizeOf('viewBox="0 0 9 9" width="1" height="100001"')).toBe('size');
  });

  test('an area that is more than nothing, in the view box and on the page', () => {
    for (const viewBox of ['0 0 0 9', '0 0 9 0', '0 0 -9 9', '0 0 9 -9'])
      expect(sizeOf(`viewBox="${viewBox}" width="9" height="9"`)).toBe('size');
    for (const size of ['width="0" height="9"', 'width="9" height="0"', 'width="0" height="0"'])
      expect(sizeOf(`viewBox="0 0 9 9" ${size}`)).toBe('size');
    expect(sizeOf('width="9"')).toBe('size');
    for (const viewBox of ['0 0 9', '0 0 9 9 9'])
      expect(sizeOf(`viewBox="${viewBox}" width="9" height="9"`)).not.toEqual([9, 9]);
  });

  test('a length is a number of pixels, or depends on the page', () => {
    expect(sizeOf('viewBox="0,  0 ,30 40" width="+1e2" height="5E-1px"')).toEqual([100, 0.5]);
    expect(sizeOf('viewBox="0 0 30 40" width="12e10px" height="1"')).toBe('size');
    expect(sizeOf('viewBox="0 0 30 40" width="2em" height="50%"')).toEqual([30, 40]);
  });
});

describe('names of other languages', () => {
  test('the default namespace is SVG’s wherever it is written, and xlink is xlink’s', () => {
    expect(reasonOf(picture(`<g ${NS}><path d="M0 0"/></g>`))).toBe('accepted');
    expect(reasonOf(picture('<g xmlns=""/>'))).toBe('namespace');
    expect(reasonOf(picture('<g xmlns="http://www.w3.org/1999/xhtml"/>'))).toBe('namespace');
    expect(reasonOf(picture('<g xmlns:x="http://www.w3.org/2000/svg"/>'))).toBe('namespace');
    expect(reasonOf(picture('<g xmlns:xlink="http://www.w3.org/2000/svg"/>'))).toBe('namespace');
    expect(reasonOf(picture('<use xlink:href="#a"/><g id="a"/>'))).toBe('not-xml');
  });

  test('an unknown attribute is refused under any prefix, and what is no XML is said to be none', () => {
    expect(reasonOf(picture('<g xml:base="https://example.test"/>'))).toBe('attribute');
    expect(reasonOf(picture('<g xml:id="a"/>'))).toBe('attribute');
    expect(reasonOf('<svg')).toBe('not-xml');
    expect(reasonOf(`<?xml version="1.0"?>${picture('')}`)).toBe('accepted');
    expect(reasonOf(`<?xml version="1.0" encoding="latin1"?>${picture('')}`)).toBe('not-xml');
    expect(reasonOf(`<?xml version="1.1"?>${picture('')}`)).toBe('not-xml');
  });
});
