import type { IconNode } from 'lucide';

const outlines = new WeakMap<IconNode, string>();

/**
 * All shapes of an icon as the data of one path (SVG 2, 9.3 and 10): with fifty icons, a browser lays out a hundred elements instead of two hundred.
 * Throws on an unknown shape; `tests/unit/ui/icon-outline.test.ts` draws every icon both ways.
 */
export function outlineOf(drawing: IconNode): string {
  const known = outlines.get(drawing);
  if (known !== undefined) return known;
  const outline = drawing.map(([shape, at]) => lineOf(shape, at)).join('');
  outlines.set(drawing, outline);
  return outline;
}

const FIRST_MOVE = /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)[\s,]*([-.\d]?)/;

function lineOf(shape: string, at: IconNode[number][1]): string {
  const n = (name: string) => Number(at[name] ?? 0);
  switch (shape) {
    case 'path':
      // A relative first move would start at the end of the former shape, so it becomes absolute. What follows stays relative.
      return String(at.d).replace(FIRST_MOVE, (_, x, y, next) => `M${x} ${y}${next ? 'l' : ''}${next}`);
    case 'line':
      return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`;
    case 'polyline':
      return `M${at.points}`;
    case 'polygon':
      return `M${at.points}z`;
    case 'circle':
      // A filled circle is a dot, smaller than the width of the line: a short line fills it.
      return ring(n('cx'), n('cy'), n('r'), n('r')) + (at.fill ? `M${n('cx')} ${n('cy')}h.01` : '');
    case 'ellipse':
      return ring(n('cx'), n('cy'), n('rx'), n('ry'));
    case 'rect':
      return box(
        n('x'),
        n('y'),
        n('width'),
        n('height'),
        n(at.rx === undefined ? 'ry' : 'rx'),
        n(at.ry === undefined ? 'rx' : 'ry'),
      );
    default:
      throw new TypeError(`an icon with a ${shape}`);
  }
}

const ring = (x: number, y: number, rx: number, ry: number) =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

const box = (x: number, y: number, width: number, height: number, rx: number, ry: number) => {
  if (rx === 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const corner = (dx: number, dy: number) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  const [wide, high] = [width - 2 * rx, height - 2 * ry];
  return `M${x + rx} ${y}h${wide}${corner(rx, ry)}v${high}${corner(-rx, ry)}h${-wide}${corner(-rx, -ry)}v${-high}${corner(rx, -ry)}z`;
};
