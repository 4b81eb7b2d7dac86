import {
  ACCENT_FIELD,
  arrow,
  BODY,
  brandMark,
  buttonColours,
  HEADLINE,
  margin,
  photoTones,
  pill,
} from '../drawing/shared-layout.ts';
import { PORTRAIT, SQUARE, STORY, WIDE } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const beforeAfter: TemplateDefinition = {
  id: 'before-after',
  name: 'Avant / après',
  description: 'Deux photos côte à côte et ce qui a changé. Pour montrer un résultat sans le raconter.',
  sizes: [SQUARE, PORTRAIT, STORY, WIDE],
  fields: [
    { id: 'before', label: 'Photo d’avant', kind: 'image', required: true },
    { id: 'after', label: 'Photo d’après', kind: 'image', required: true },
    {
      id: 'labelBefore',
      label: 'Mot du côté avant',
      kind: 'text',
      required: false,
      maxLength: 20,
      example: 'Avant',
    },
    {
      id: 'labelAfter',
      label: 'Mot du côté après',
      kind: 'text',
      required: false,
      maxLength: 20,
      example: 'Après',
    },
    {
      id: 'title',
      label: 'Titre',
      kind: 'text',
      required: true,
      maxLength: 80,
      example: 'La même cuisine, une semaine plus tard',
    },
    {
      id: 'caption',
      label: 'Légende',
      kind: 'longText',
      required: false,
      maxLength: 140,
      example: 'Façades repeintes, plan de travail en chêne huilé, lumière refaite.',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const tone = palette.light;
    const m = margin(sheet) * (landscape ? 0.8 : 0.86);
    const inner = width - 2 * m;
    const story = height > width * 1.5;
    const gap = 12 * u;
    sheet.ground(tone.ground);
    const top = story ? 250 * u : m;
    const bottom = height - (story ? 300 * u : m);
    const room = (bottom - top) * (landscape ? 0.26 : 0.34);
    const captionGap = 44 * u;
    const captionText = fields.text('caption');
    const title = sheet.fit(fields.text('title'), {
      ...HEADLINE,
      size: (story ? 96 : 76) * u,
      minSize: 36 * u,
      width: inner,
      height: captionText ? room * 0.58 : room,
      maxLines: landscape ? 1 : 3,
    });
    const caption = captionText
      ? sheet.fit(captionText, {
          ...BODY,
          size: (story ? 42 : 34) * u,
          width: inner * 0.96,
          height: room - title.height - captionGap,
        })
      : undefined;
    const textHeight = title.height + (caption ? captionGap + caption.height : 0);
    const named = palette.name ? 70 * u : 0;
    const photosTop = top + named;
    const photosBottom = bottom - textHeight - 60 * u;
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner });

    const side = (inner - gap) / 2;
    const radius = 28 * u;
    const photoHeight = photosBottom - photosTop;
    const tones = photoTones(tone);
    const left = { x: m, y: photosTop, width: side, height: photoHeight };
    const right = { ...left, x: m + side + gap };
    sheet.photo(left, fields.photo('before'), { ground: palette.light.shade, tone: tone.muted, radius });
    sheet.photo(right, fields.photo('after'), { ...tones, radius });
    const tagY = photosTop + photoHeight - 28 * u - 26 * 2.35 * u;
    const tagWidth = side - 56 * u;
    const button = buttonColours(tone);
    const before = fields.text('labelBefore') || 'Avant';
    const after = fields.text('labelAfter') || 'Après';
    pill(
      sheet,
      before,
      { fill: tone.ground, text: tone.text, size: 26 },
      { x: left.x + 28 * u, y: tagY, width: tagWidth },
    );
    pill(sheet, after, { ...button, size: 26 }, { x: right.x + 28 * u, y: tagY, width: tagWidth });
    const cx = width / 2;
    const cy = photosTop + photoHeight / 2;
    sheet.circle(cx, cy, 52 * u, { fill: tone.ground });
    arrow(sheet, cx - 21 * u, cy, 42 * u, tone.accent);

    const titleTop = photosBottom + 60 * u;
    sheet.place(title, m, titleTop, tone.text);
    if (caption) sheet.place(caption, m, titleTop + title.height + captionGap, tone.muted);
  },
};
