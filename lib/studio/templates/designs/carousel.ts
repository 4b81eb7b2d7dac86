import type { Scheme } from '../drawing/palette.ts';
import {
  ACCENT_FIELD,
  arrow,
  BODY,
  brandMark,
  buttonColours,
  HEADLINE,
  label,
  margin,
  pill,
  rings,
} from '../drawing/shared-layout.ts';
import type { Sheet } from '../drawing/sheet.ts';
import { PORTRAIT, SQUARE } from '../drawing/sizes.ts';
import type { ListItem, TemplateDefinition } from '../drawing/types.ts';

function slidesOf(fields: Record<string, string | ListItem[]>): ListItem[] {
  return Array.isArray(fields.slides) ? fields.slides : [];
}

/** One bar per page, those already seen filled. */
function progress(sheet: Sheet, scheme: Scheme, page: number, pages: number, y: number): void {
  const m = margin(sheet);
  const gap = 10 * sheet.u;
  const width = (sheet.width - 2 * m - gap * (pages - 1)) / pages;
  for (let i = 0; i < pages; i++) {
    const r = { x: m + i * (width + gap), y, width, height: 6 * sheet.u };
    sheet.rect(r, { fill: i <= page ? scheme.accent : scheme.line, radius: 3 * sheet.u });
  }
}

export const carousel: TemplateDefinition = {
  id: 'carousel',
  name: 'Carrousel',
  description: 'Une couverture, de deux à huit pages numérotées, une conclusion : un fichier par page.',
  sizes: [PORTRAIT, SQUARE],
  fields: [
    {
      id: 'eyebrow',
      label: 'Rubrique',
      kind: 'text',
      required: false,
      maxLength: 36,
      example: 'Guide pratique',
    },
    {
      id: 'title',
      label: 'Titre',
      kind: 'text',
      required: true,
      maxLength: 90,
      example: 'Trois gestes pour une bougie qui dure',
    },
    {
      id: 'subtitle',
      label: 'Sous-titre',
      kind: 'longText',
      required: false,
      maxLength: 140,
      example: 'Ce que nous répétons à chaque client de la boutique.',
    },
    {
      id: 'slides',
      label: 'Pages',
      kind: 'list',
      required: true,
      minItems: 2,
      maxLength: 8,
      item: [
        { id: 'title', label: 'Titre de la page', kind: 'text', required: true, maxLength: 70 },
        { id: 'text', label: 'Texte de la page', kind: 'longText', required: false, maxLength: 320 },
      ],
      example: [
        {
          title: 'Laissez fondre toute la surface',
          text: 'La première fois, attendez que la cire soit liquide jusqu’au bord du verre. Elle garde la mémoire de ce premier cercle.',
        },
        {
          title: 'Coupez la mèche',
          text: 'Un demi-centimètre avant chaque allumage : la flamme reste droite et ne fume pas.',
        },
        { title: 'Couvrez-la', text: 'Un couvercle garde le parfum et la poussière à sa place.' },
      ],
    },
    {
      id: 'closing',
      label: 'Conclusion',
      kind: 'text',
      required: true,
      maxLength: 110,
      example: 'Gardez cette page pour votre prochaine bougie.',
    },
    {
      id: 'cta',
      label: 'Appel à l’action',
      kind: 'text',
      required: false,
      maxLength: 36,
      example: 'Lire le guide complet',
    },
    ACCENT_FIELD,
  ],
  pages: (fields) => slidesOf(fields).length + 2,
  draw({ sheet, palette, fields, page, pages }) {
    const { u, width, height } = sheet;
    const m = margin(sheet);
    const inner = width - 2 * m;
    const first = page === 0;
    const last = page === pages - 1;
    const tone = first ? palette.vivid : last ? palette.dark : palette.light;
    const barY = height - m - 6 * u;
    sheet.ground(tone.ground);
    if (first) rings(sheet, width, height * 0.06, tone.shade, 6, 150 * u, 96 * u);
    if (last) rings(sheet, 0, height, tone.shade, 6, 150 * u, 96 * u);
    brandMark(sheet, tone, palette.name, { x: m, y: m, width: inner * 0.8 });
    const count = label(sheet, `${page + 1}/${pages}`, inner * 0.2, 26);
    sheet.place(count, m, m, tone.muted, 'right', inner);
    progress(sheet, tone, page, pages, barY);
    const bottom = barY - 64 * u;
    const top = m + 120 * u;

    if (first) {
      const subtitle = fields.text('subtitle');
      const sub = subtitle
        ? sheet.fit(subtitle, { ...BODY, size: 42 * u, width: inner - 150 * u, height: 190 * u })
        : undefined;
      const subTop = bottom - (sub?.height ?? 0);
      const eyebrow = fields.text('eyebrow');
      const title = sheet.fit(fields.text('title'), {
        ...HEADLINE,
        leading: 1.02,
        tracking: -0.04,
        size: 156 * u,
        minSize: 60 * u,
        width: inner,
        height: subTop - (sub ? 56 : 0) * u - top - (eyebrow ? 64 : 0) * u,
      });
      const titleTop = subTop - (sub ? 56 * u : 0) - title.height;
      if (eyebrow) sheet.place(label(sheet, eyebrow, inner, 28), m, titleTop - 62 * u, tone.muted);
      sheet.place(title, m, titleTop, tone.text);
      if (sub) sheet.place(sub, m, subTop, tone.text);
      if (sub) arrow(sheet, width - m - 84 * u, bottom - 22 * u, 84 * u, tone.text);
      return;
    }
    if (last) {
      const cta = fields.text('cta');
      const ctaTop = bottom - (cta ? 36 * 2.35 * u : 0);
      const closing = sheet.fit(fields.text('closing'), {
        ...HEADLINE,
        size: 128 * u,
        minSize: 56 * u,
        width: inner,
        height: ctaTop - (cta ? 72 * u : 0) - top,
      });
      sheet.place(closing, m, ctaTop - (cta ? 72 * u : 0) - closing.height, tone.text);
      if (cta)
        pill(
          sheet,
          cta,
          { ...buttonColours(tone), size: 36 },
          { x: m, y: ctaTop, width: inner, arrow: true },
        );
      return;
    }
    const slide = fields.list('slides')[page - 1] as ListItem;
    const number = sheet.fit(String(page).padStart(2, '0'), {
      face: 'black',
      tracking: -0.06,
      size: 260 * u,
      width: inner,
      height: 260 * u,
    });
    sheet.place(number, m - 10 * u, top, tone.accent);
    // Number at the head, words on the foot: short or long, the page stays composed.
    const room = bottom - (top + number.height + 72 * u);
    const gap = 54 * u;
    const body = slide.text ?? '';
    const title = sheet.fit(slide.title ?? '', {
      ...HEADLINE,
      size: 108 * u,
      minSize: 44 * u,
      width: inner,
      height: room * (body ? 0.48 : 1),
    });
    if (!body) {
      sheet.place(title, m, bottom - title.height, tone.text);
      return;
    }
    const text = sheet.fit(body, { ...BODY, size: 46 * u, width: inner, height: room - title.height - gap });
    sheet.place(title, m, bottom - text.height - gap - title.height, tone.text);
    sheet.place(text, m, bottom - text.height, tone.muted);
  },
};
