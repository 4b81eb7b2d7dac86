import { STORY } from '../sizes.ts';
import type { TemplateDefinition } from '../types.ts';
import {
  ACCENT_FIELD,
  BODY,
  brandMark,
  buttonColours,
  HEADLINE,
  label,
  margin,
  pill,
  rings,
} from './parts.ts';

/** What the phone's own interface covers at the top and at the bottom of a story. */
const COVERED_TOP = 250;
const COVERED_BOTTOM = 320;

export const story: TemplateDefinition = {
  id: 'story',
  name: 'Story',
  description: 'Plein écran vertical, photo ou couleur, texte hors des zones couvertes par le téléphone.',
  sizes: [STORY],
  fields: [
    {
      id: 'photo',
      label: 'Photo de fond',
      kind: 'image',
      required: false,
      hint: 'Sans elle, la couleur de la marque.',
    },
    { id: 'eyebrow', label: 'Accroche', kind: 'text', required: false, maxLength: 36, example: 'Ce samedi' },
    {
      id: 'title',
      label: 'Titre',
      kind: 'text',
      required: true,
      maxLength: 90,
      example: 'L’atelier ouvre ses portes',
    },
    {
      id: 'text',
      label: 'Texte',
      kind: 'longText',
      required: false,
      maxLength: 200,
      example: 'Venez sentir les parfums de l’hiver avant tout le monde, et repartez avec le vôtre.',
    },
    {
      id: 'cta',
      label: 'Appel à l’action',
      kind: 'text',
      required: false,
      maxLength: 32,
      example: 'Voir les horaires',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height } = sheet;
    const m = margin(sheet);
    const inner = width - 2 * m;
    const photo = fields.photo('photo');
    const tone = photo ? palette.dark : palette.vivid;
    sheet.ground(tone.ground);
    if (photo) {
      sheet.photo({ x: 0, y: 0, width, height }, photo, { ground: tone.ground, tone: tone.accent });
      sheet.veil({ x: 0, y: 0, width, height: height * 0.24 }, tone.ground, 0.72, 0);
      sheet.veil({ x: 0, y: height * 0.3, width, height: height * 0.32 }, tone.ground, 0, 0.88);
      sheet.rect(
        { x: 0, y: height * 0.62, width, height: height * 0.38 },
        { fill: tone.ground, opacity: 0.88 },
      );
    } else {
      rings(sheet, width * 0.82, height * 0.3, tone.shade, 8, 110 * u, 104 * u);
      sheet.circle(width * 0.82, height * 0.3, 66 * u, { fill: tone.shade });
    }
    const top = COVERED_TOP * u;
    const bottom = height - COVERED_BOTTOM * u;
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner });

    let y = bottom;
    const cta = fields.text('cta');
    if (cta) {
      const buttonHeight = 40 * 2.35 * u;
      y -= buttonHeight;
      pill(sheet, cta, { ...buttonColours(tone), size: 40 }, { x: m, y, width: inner, arrow: true });
      y -= 76 * u;
    }
    const text = fields.text('text');
    if (text) {
      const block = sheet.fit(text, { ...BODY, size: 48 * u, width: inner, height: 380 * u });
      y -= block.height;
      sheet.place(block, m, y, tone.text);
      y -= 62 * u;
    }
    const eyebrow = fields.text('eyebrow');
    const ceiling = photo ? height * 0.44 : top + 150 * u;
    const title = sheet.fit(fields.text('title'), {
      ...HEADLINE,
      tracking: -0.042,
      leading: 1,
      size: 168 * u,
      minSize: 64 * u,
      width: inner,
      height: y - ceiling - (eyebrow ? 70 * u : 0),
    });
    y -= title.height;
    sheet.place(title, m, y, tone.text);
    if (eyebrow) sheet.place(label(sheet, eyebrow, inner, 32), m, y - 66 * u, tone.accent);
  },
};
