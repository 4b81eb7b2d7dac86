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
} from '../drawing/shared-layout.ts';
import { STORY } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

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
    const top = COVERED_TOP * u;
    const bottom = height - COVERED_BOTTOM * u;
    const cta = fields.text('cta');
    const text = fields.text('text');
    const eyebrow = fields.text('eyebrow');
    const ctaTop = cta ? bottom - 40 * 2.35 * u : bottom;
    const body = text ? sheet.fit(text, { ...BODY, size: 48 * u, width: inner, height: 380 * u }) : undefined;
    const bodyTop = body ? ctaTop - (cta ? 76 * u : 0) - body.height : ctaTop;
    const titleBottom = body ? bodyTop - 66 * u : ctaTop - (cta ? 84 * u : 0);
    const ceiling = photo ? height * 0.44 : top + 150 * u;
    const title = sheet.fit(fields.text('title'), {
      ...HEADLINE,
      tracking: -0.042,
      leading: 1,
      size: 168 * u,
      minSize: 64 * u,
      width: inner,
      height: titleBottom - ceiling - (eyebrow ? 70 * u : 0),
    });
    const titleTop = titleBottom - title.height;

    if (photo) {
      // The veil is nearly opaque from the first line of text down, so a bright photograph hides nothing.
      const veilBottom = titleTop - (eyebrow ? 90 : 30) * u;
      const veilTop = veilBottom - 420 * u;
      sheet.photo({ x: 0, y: 0, width, height }, photo, { ground: tone.ground, tone: tone.accent });
      // So it is behind the brand's name, then it clears.
      const head = palette.name ? top + 60 * u : 0;
      if (head) sheet.rect({ x: 0, y: 0, width, height: head }, { fill: tone.ground, opacity: 0.85 });
      sheet.veil({ x: 0, y: head, width, height: 420 * u - head / 2 }, tone.ground, head ? 0.85 : 0.8, 0);
      sheet.veil({ x: 0, y: veilTop, width, height: veilBottom - veilTop }, tone.ground, 0, 0.9);
      sheet.rect(
        { x: 0, y: veilBottom, width, height: height - veilBottom },
        { fill: tone.ground, opacity: 0.9 },
      );
    } else {
      rings(sheet, width * 0.82, height * 0.3, tone.shade, 8, 110 * u, 104 * u);
      sheet.circle(width * 0.82, height * 0.3, 66 * u, { fill: tone.shade });
    }
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner });
    const button = buttonColours(tone);
    if (cta) pill(sheet, cta, { ...button, size: 40 }, { x: m, y: ctaTop, width: inner, arrow: true });
    if (body) sheet.place(body, m, bodyTop, tone.text);
    sheet.place(title, m, titleTop, tone.text);
    if (eyebrow)
      sheet.place(label(sheet, eyebrow, inner, 32), m, titleTop - 66 * u, photo ? tone.text : tone.accent);
  },
};
