import { contrast, mix, readableOn, type Scheme } from './palette.ts';
import type { Rect, Sheet } from './sheet.ts';
import { upperCase } from './text.ts';
import type { FieldDefinition } from './types.ts';
import type { Block } from './typeset.ts';

/** The optional accent that most templates offer. */
export const ACCENT_FIELD: FieldDefinition = {
  id: 'accent',
  label: 'Couleur d’accent',
  kind: 'colour',
  required: false,
  hint: 'Sans elle, la couleur de la marque.',
};

/** Headlines: heavy, tight. */
export const HEADLINE = { face: 'bold', tracking: -0.035, leading: 1.06 } as const;
/** Running text. */
export const BODY = { face: 'regular', tracking: -0.008, leading: 1.38 } as const;
/** Small capitals in the mono face. */
const LABEL = { face: 'mono', tracking: 0.06, leading: 1.4 } as const;

/** Outer margin; stories keep what the phone's interface covers free by themselves. */
export function margin(sheet: Sheet): number {
  return 84 * sheet.u;
}

/** Small capitals on one line. */
export function label(sheet: Sheet, text: string, width: number, size = 25): Block {
  return sheet.fit(upperCase(text), {
    ...LABEL,
    size: size * sheet.u,
    width,
    height: size * 2 * sheet.u,
    maxLines: 1,
  });
}

/** The brand's name after a dot in its colour. Nothing when the brand has no name. Returns the height taken. */
export function brandMark(
  sheet: Sheet,
  scheme: Scheme,
  name: string,
  at: { x: number; y: number; width: number; align?: 'left' | 'right' },
): number {
  if (name.trim() === '') return 0;
  const u = sheet.u;
  const block = sheet.fit(name, {
    face: 'semibold',
    tracking: -0.015,
    size: 32 * u,
    width: at.width - 40 * u,
    height: 44 * u,
    maxLines: 1,
  });
  const radius = block.height * 0.52;
  const width = block.width + radius * 2 + 14 * u;
  const left = at.align === 'right' ? at.x + at.width - width : at.x;
  sheet.circle(left + radius, at.y + block.height / 2, radius, { fill: scheme.accent });
  sheet.place(block, left + radius * 2 + 14 * u, at.y, scheme.text);
  return block.height;
}

/** A rounded tag around one line. Returns its rectangle. */
export function pill(
  sheet: Sheet,
  text: string,
  style: { fill: string; text: string; size?: number; mono?: boolean },
  at: { x: number; y: number; width: number; align?: 'left' | 'right' | 'center'; arrow?: boolean },
): Rect {
  const u = sheet.u;
  const size = (style.size ?? 32) * u;
  const arrowWidth = at.arrow ? size * 1.5 : 0;
  const padX = size * 0.95;
  const block = sheet.fit(style.mono ? upperCase(text) : text, {
    ...(style.mono ? LABEL : ({ face: 'semibold', tracking: -0.01 } as const)),
    size,
    width: at.width - padX * 2 - arrowWidth,
    height: size * 1.6,
    maxLines: 1,
  });
  const height = size * 2.35;
  const width = block.width + padX * 2 + arrowWidth;
  const free = at.width - width;
  const x = at.x + (at.align === 'right' ? free : at.align === 'center' ? free / 2 : 0);
  sheet.rect({ x, y: at.y, width, height }, { fill: style.fill, radius: height / 2 });
  sheet.place(block, x + padX, at.y + (height - block.height) / 2, style.text);
  if (at.arrow) arrow(sheet, x + width - padX - size * 0.85, at.y + height / 2, size * 0.85, style.text);
  return { x, y: at.y, width, height };
}

/** An arrow pointing right, `length` long, its tail at (x, y). */
export function arrow(sheet: Sheet, x: number, y: number, length: number, colour: string): void {
  const h = length * 0.36;
  sheet.path(
    `M${x} ${y}H${x + length}M${x + length - h} ${y - h}L${x + length} ${y}L${x + length - h} ${y + h}`,
    {
      stroke: colour,
      strokeWidth: Math.max(2, length * 0.115),
    },
  );
}

/** A check mark in a disc of radius `r` centred on (cx, cy). */
export function check(sheet: Sheet, cx: number, cy: number, r: number, fill: string, mark: string): void {
  sheet.circle(cx, cy, r, { fill });
  sheet.path(
    `M${cx - r * 0.42} ${cy + r * 0.02}L${cx - r * 0.1} ${cy + r * 0.34}L${cx + r * 0.45} ${cy - r * 0.32}`,
    {
      stroke: mark,
      strokeWidth: r * 0.22,
    },
  );
}

/** Opening quotation mark, two slanted drops, `height` tall from its top left corner. */
export function quoteMark(sheet: Sheet, x: number, y: number, height: number, fill: string): void {
  const drop =
    'M0 68C0 32 18 8 50 0L56 14C38 22 29 34 28 46C44 46 56 56 56 73C56 90 44 100 29 100C11 100 0 88 0 68Z';
  const scale = height / 100;
  sheet.path(drop, { fill, at: `translate(${x},${y}) scale(${scale})` });
  sheet.path(drop, { fill, at: `translate(${x + 72 * scale},${y}) scale(${scale})` });
}

/** Concentric rings off a corner: the quiet ornament shared by the designs. */
export function rings(
  sheet: Sheet,
  cx: number,
  cy: number,
  colour: string,
  count: number,
  first: number,
  step: number,
): void {
  for (let i = 0; i < count; i++) {
    sheet.circle(cx, cy, first + i * step, { stroke: colour, strokeWidth: Math.max(1.5, step * 0.34) });
  }
}

/** Fill and text of a button that stands out on `scheme`: the accent, with whichever text reads on it. */
export function buttonColours(scheme: Scheme): { fill: string; text: string } {
  const text =
    contrast(scheme.ground, scheme.accent) >= 4.5
      ? scheme.ground
      : readableOn(scheme.accent, scheme.text, 4.5);
  return { fill: scheme.accent, text };
}

/** Ground and tone of the still life that stands in for a photograph. */
export function photoTones(scheme: Scheme): { ground: string; tone: string } {
  return { ground: mix(scheme.accent, scheme.ground, 0.14), tone: scheme.accent };
}
