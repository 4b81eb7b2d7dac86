import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('../../../app/globals.css', import.meta.url), 'utf8');
const TOKENS = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name as string, { light: light as string, dark: dark as string }],
  ),
);
const THEMES = ['light', 'dark'] as const;

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * channels[0]! + 0.7152 * channels[1]! + 0.0722 * channels[2]!;
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function failing(pairs: [string, string][], least: number): string[] {
  return pairs.flatMap(([text, ground]) =>
    THEMES.flatMap((theme) => {
      const [one, other] = [TOKENS.get(text), TOKENS.get(ground)];
      if (!one || !other) return [`${text} or ${ground} is not a token`];
      const ratio = contrast(one[theme], other[theme]);
      return ratio >= least ? [] : [`${text} on ${ground}, ${theme}: ${ratio.toFixed(2)}`];
    }),
  );
}

const across = (texts: string[], grounds: string[]): [string, string][] =>
  texts.flatMap((text) => grounds.map((ground): [string, string] => [text, ground]));

const GROUNDS = ['ground', 'surface', 'raised', 'sunken', 'hover'];
const STATUSES = ['run', 'ok', 'fail', 'warn', 'mute'];
const PILLARS = ['identity', 'guidelines', 'knowledge', 'items', 'people'];

describe('colour tokens, in both themes', () => {
  test('text reaches 4.5:1 on every ground it may lie on', () => {
    expect(failing(across(['ink', 'ink-soft', 'ink-faint', 'accent-ink'], GROUNDS), 4.5)).toEqual([]);
  });

  test('a status or a pillar reaches 4.5:1 on its own pale ground and on the page', () => {
    for (const name of [...STATUSES, ...PILLARS])
      expect(failing(across([name], [`${name}-soft`, 'ground', 'surface', 'raised']), 4.5)).toEqual([]);
    expect(
      failing(
        across(
          ['ink', 'ink-soft', 'ink-faint'],
          STATUSES.map((name) => `${name}-soft`),
        ),
        4.5,
      ),
    ).toEqual([]);
  });

  test('text on a filled ground reaches 4.5:1, hovered or not', () => {
    expect(
      failing(
        [
          ['on-accent', 'accent'],
          ['on-accent', 'accent-hover'],
          ['on-danger', 'danger'],
          ['on-danger', 'danger-hover'],
          ['on-mark', 'mark'],
          ['accent-ink', 'accent-soft'],
          ['ground', 'ink'],
        ],
        4.5,
      ),
    ).toEqual([]);
  });

  test('borders of controls, focus rings and fills of gauges reach 3:1', () => {
    expect(
      failing(across(['line-strong', 'accent-ink'], ['ground', 'surface', 'raised', 'sunken']), 3),
    ).toEqual([]);
    expect(
      failing(
        [
          ['accent-ink', 'line'],
          ['warn-fill', 'line'],
          ['fail', 'line'],
          ['run', 'line'],
        ],
        3,
      ),
    ).toEqual([]);
    expect(
      failing(
        [
          ['accent', 'surface'],
          ['accent', 'raised'],
        ],
        3,
      ),
    ).toEqual([]);
  });
});
