import { ACCENT_FIELD, BODY, brandMark, margin, quoteMark, rings } from '../drawing/shared-layout.ts';
import { LINK, PORTRAIT, SQUARE, STORY } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const quoteCard: TemplateDefinition = {
  id: 'quote-card',
  name: 'Citation',
  description: 'Une phrase forte, son auteur, beaucoup d’air. Pour une conviction, un extrait, une maxime.',
  sizes: [SQUARE, PORTRAIT, STORY, LINK],
  fields: [
    {
      id: 'quote',
      label: 'Citation',
      kind: 'longText',
      required: true,
      maxLength: 320,
      example: 'On ne vend pas une bougie : on vend l’heure de calme qui vient avec.',
    },
    {
      id: 'author',
      label: 'Auteur',
      kind: 'text',
      required: true,
      maxLength: 60,
      example: 'Camille Rousseau',
    },
    {
      id: 'role',
      label: 'Qualité de l’auteur',
      kind: 'text',
      required: false,
      maxLength: 80,
      example: 'Fondatrice de l’Atelier Rousseau',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const tone = palette.light;
    const m = margin(sheet);
    const inner = width - 2 * m;
    const story = height > width * 1.5;
    const top = story ? 250 * u : m;
    const bottom = height - (story ? 300 * u : m);
    sheet.ground(tone.ground);
    rings(sheet, width, 0, tone.shade, 5, 120 * u, 84 * u);
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner });

    const role = fields.text('role');
    const author = sheet.fit(fields.text('author'), {
      face: 'bold',
      tracking: -0.02,
      size: 38 * u,
      width: inner,
      height: 60 * u,
      maxLines: 1,
    });
    const roleBlock = role
      ? sheet.fit(role, { ...BODY, size: 30 * u, width: inner, height: 48 * u, maxLines: 1 })
      : undefined;
    const footHeight = author.height + (roleBlock ? 20 * u + roleBlock.height : 0);
    const footTop = bottom - footHeight;
    const ruleY = footTop - 44 * u;
    const markHeight = (landscape ? 64 : 92) * u;
    const markGap = (landscape ? 40 : 56) * u;
    const quoteBottom = ruleY - (landscape ? 40 : 64) * u;
    const quoteTop = top + (palette.name ? 74 : 0) * u + markHeight + markGap;
    const quote = sheet.fit(fields.text('quote'), {
      face: 'semibold',
      tracking: -0.032,
      leading: 1.14,
      size: (story ? 124 : 112) * u,
      minSize: 40 * u,
      width: inner,
      height: quoteBottom - quoteTop,
    });
    const quoteY = quoteBottom - quote.height;
    quoteMark(sheet, m, quoteY - markGap - markHeight, markHeight, tone.accent);
    sheet.place(quote, m, quoteY, tone.text);
    sheet.rect({ x: m, y: ruleY, width: 72 * u, height: 6 * u }, { fill: tone.accent, radius: 3 * u });
    sheet.place(author, m, footTop, tone.text);
    if (roleBlock) sheet.place(roleBlock, m, footTop + author.height + 20 * u, tone.muted);
  },
};
