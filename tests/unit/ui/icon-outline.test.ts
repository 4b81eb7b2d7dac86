import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IconNode } from 'lucide';
import * as lucide from 'lucide';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { outlineOf } from '#app/_ui/icon-outline.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

const SIZE = 72;

function drawn(inside: string): Promise<Buffer> {
  const lines = 'fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 24 24" ${lines}>${inside}</svg>`;
  return sharp(Buffer.from(svg)).extractChannel('alpha').raw().toBuffer();
}

const shapes = (drawing: IconNode) =>
  drawing
    .map(
      ([tag, at]) =>
        `<${tag} ${Object.entries(at)
          .map(([name, value]) => `${name}="${value}"`)
          .join(' ')}/>`,
    )
    .join('');

/** The icons that a file below `app` imports. */
function used(): Set<string> {
  const names = new Set<string>();
  for (const file of readdirSync(path.join(repositoryRoot, 'app'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const source = readFileSync(path.join(repositoryRoot, 'app', file), 'utf8');
    for (const [, list] of source.matchAll(/import \{([^}]*)\} from 'lucide';/g))
      for (const name of list?.split(',') ?? []) {
        const known = name.trim().split(' as ')[0];
        if (known && !known.startsWith('type ')) names.add(known);
      }
  }
  return names;
}

test('every icon of the cockpit looks as lucide draws it, in one path', async () => {
  const names = used();
  expect(names.size).toBeGreaterThan(100);
  for (const name of names) {
    const drawing = (lucide as unknown as Record<string, IconNode>)[name];
    if (!drawing) throw new Error(`lucide has no ${name}`);
    const [one, many] = await Promise.all([
      drawn(`<path d="${outlineOf(drawing)}"/>`),
      drawn(shapes(drawing)),
    ]);
    // Where two lines cross, their soft edges are added once instead of twice: the difference stays under half of the range.
    const most = one.reduce((far, value, at) => Math.max(far, Math.abs(value - (many[at] ?? 0))), 0);
    expect(most, name).toBeLessThan(128);
  }
});

test.each<[string, IconNode, string]>([
  [
    'a move that is relative',
    [
      ['path', { d: 'M1 1' }],
      ['path', { d: 'm3 4 5 6' }],
    ],
    'M1 1M3 4l5 6',
  ],
  ['one that says what follows', [['path', { d: 'm3-4-.5.5' }]], 'M3 -4l-.5.5'],
  ['and one before a curve', [['path', { d: 'm3 4c1 1 2 2 3 3' }]], 'M3 4c1 1 2 2 3 3'],
])('%s starts where it says', (_name, drawing, outline) => {
  expect(outlineOf(drawing)).toBe(outline);
});

test('a shape that nobody foresaw is refused', () => {
  expect(() => outlineOf([['text', {}]])).toThrow('text');
});
