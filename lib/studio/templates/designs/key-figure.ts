import { ACCENT_FIELD, BODY, brandMark, HEADLINE, label, margin } from '../drawing/shared-layout.ts';
import { LINK, PORTRAIT, SQUARE, STORY } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const keyFigure: TemplateDefinition = {
  id: 'key-figure',
  name: 'Chiffre clé',
  description:
    'Un seul chiffre, ce qu’il mesure et d’où il vient. Pour un résultat, une étude, un engagement.',
  sizes: [SQUARE, PORTRAIT, STORY, LINK],
  fields: [
    {
      id: 'eyebrow',
      label: 'Rubrique',
      kind: 'text',
      required: false,
      maxLength: 36,
      example: 'Notre atelier en clair',
    },
    { id: 'figure', label: 'Chiffre', kind: 'text', required: true, maxLength: 10, example: '92 %' },
    {
      id: 'sentence',
      label: 'Ce qu’il mesure',
      kind: 'text',
      required: true,
      maxLength: 110,
      example: 'de nos fournisseurs sont à moins de deux heures de route.',
    },
    {
      id: 'text',
      label: 'Précision',
      kind: 'longText',
      required: false,
      maxLength: 180,
      example: 'La cire vient de Bretagne, le verre de Normandie, les mèches de la Sarthe.',
    },
    {
      id: 'source',
      label: 'Source',
      kind: 'text',
      required: false,
      maxLength: 80,
      example: 'Bilan annuel de l’atelier',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const tone = palette.dark;
    const m = margin(sheet);
    const inner = width - 2 * m;
    const tall = height > width * 1.5;
    const top = tall ? 250 * u : m;
    const bottom = height - (tall ? 300 * u : m);
    sheet.ground(tone.ground);
    // Rising bars off the right edge: a hint of a chart, never of data.
    const bar = 92 * u;
    for (let i = 0; i < 5; i++) {
      const h = height * (0.14 + i * 0.13);
      sheet.rect(
        { x: width - (5 - i) * bar, y: height - h, width: bar - 14 * u, height: h },
        { fill: tone.shade },
      );
    }
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner });

    let floor = bottom;
    const source = fields.text('source');
    if (source) {
      const block = label(sheet, source, inner, 22);
      floor -= block.height;
      sheet.place(block, m, floor, tone.muted);
      floor -= 48 * u;
    }
    const text = fields.text('text');
    const eyebrow = fields.text('eyebrow');
    const ceiling = top + (palette.name ? 84 * u : 0) + (eyebrow ? 60 * u : 0);
    const textWidth = landscape ? inner * 0.86 : inner;
    if (text) {
      const block = sheet.fit(text, {
        ...BODY,
        size: 36 * u,
        width: textWidth,
        height: (floor - ceiling) * 0.2,
      });
      floor -= block.height;
      sheet.place(block, m, floor, tone.muted);
      floor -= 44 * u;
    }
    const sentence = sheet.fit(fields.text('sentence'), {
      ...HEADLINE,
      leading: 1.1,
      size: (landscape ? 66 : 76) * u,
      minSize: 36 * u,
      width: textWidth,
      height: (floor - ceiling) * 0.42,
    });
    floor -= sentence.height;
    sheet.place(sentence, m, floor, tone.text);
    floor -= (landscape ? 48 : 68) * u;
    const figure = sheet.fit(fields.text('figure'), {
      face: 'black',
      tracking: -0.055,
      size: 420 * u,
      minSize: 80 * u,
      width: inner,
      height: floor - ceiling,
      maxLines: 1,
    });
    floor -= figure.height;
    sheet.place(figure, m - 8 * u, floor, tone.accent);
    if (eyebrow) sheet.place(label(sheet, eyebrow, inner, 26), m, floor - 58 * u, tone.muted);
  },
};
