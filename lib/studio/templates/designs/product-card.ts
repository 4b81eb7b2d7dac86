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
import { LINK, PORTRAIT, SQUARE, STORY } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const productCard: TemplateDefinition = {
  id: 'product-card',
  name: 'Fiche produit',
  description: 'La photo en grand, le nom, un bénéfice, le prix. Pour présenter un article.',
  sizes: [SQUARE, PORTRAIT, STORY, LINK],
  fields: [
    { id: 'photo', label: 'Photo du produit', kind: 'image', required: true },
    {
      id: 'name',
      label: 'Nom du produit',
      kind: 'text',
      required: true,
      maxLength: 70,
      example: 'Bougie Figuier sauvage',
    },
    {
      id: 'benefit',
      label: 'Bénéfice',
      kind: 'longText',
      required: true,
      maxLength: 160,
      example: 'Cire de colza, mèche en coton : quarante-cinq heures de calme, coulées à la main.',
    },
    { id: 'price', label: 'Prix', kind: 'text', required: false, maxLength: 16, example: '34 €' },
    { id: 'badge', label: 'Pastille', kind: 'text', required: false, maxLength: 24, example: 'Nouveau' },
    {
      id: 'cta',
      label: 'Appel à l’action',
      kind: 'text',
      required: false,
      maxLength: 32,
      example: 'À découvrir en ligne',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const tone = palette.light;
    const m = margin(sheet) * 0.86;
    const story = height > width * 1.5;
    const x = landscape ? width * 0.46 + m : m;
    const inner = width - m - x;
    sheet.ground(tone.ground);
    // Upright pages: texts stand on the foot and the photograph takes all that is left above them.
    const top = landscape ? m : height * 0.42 + 62 * u;
    const bottom = height - (story ? 300 * u : m);
    const price = fields.text('price');
    const cta = fields.text('cta');
    const priceBlock = price
      ? sheet.fit(price, {
          face: 'black',
          tracking: -0.04,
          size: 84 * u,
          width: inner * 0.46,
          height: 84 * u,
          maxLines: 1,
        })
      : undefined;
    const footHeight = Math.max(priceBlock?.height ?? 0, 34 * u);
    const footTop = bottom - footHeight;
    if (landscape) brandMark(sheet, tone, palette.name, { x, y: top, width: inner });
    const textTop = landscape && palette.name ? top + 84 * u : top;
    const textBottom = footTop - 62 * u;
    const name = sheet.fit(fields.text('name'), {
      ...HEADLINE,
      size: (landscape ? 92 : story ? 104 : 84) * u,
      minSize: 40 * u,
      width: inner,
      height: (textBottom - textTop) * 0.56,
      maxLines: landscape ? 4 : 2,
    });
    const gap = 40 * u;
    const benefit = sheet.fit(fields.text('benefit'), {
      ...BODY,
      size: (story ? 44 : 38) * u,
      width: inner * 0.97,
      height: textBottom - textTop - name.height - gap,
    });
    const y = textBottom - benefit.height - gap - name.height;
    const picture = landscape
      ? { x: 0, y: 0, width: width * 0.46, height }
      : { x: 0, y: 0, width, height: y - 62 * u };
    sheet.photo(picture, fields.photo('photo'), photoTones(tone));
    const button = buttonColours(tone);
    const badge = fields.text('badge');
    if (badge) {
      const at = { x: m, y: story ? 250 * u : m, width: picture.width - 2 * m };
      pill(sheet, badge, { ...button, size: 24, mono: true }, at);
    }

    sheet.place(name, x, y, tone.text);
    sheet.place(benefit, x, y + name.height + gap, tone.muted);

    const footed = Boolean(price || cta || (!landscape && palette.name));
    if (footed) sheet.rect({ x, y: footTop - 34 * u, width: inner, height: 2 * u }, { fill: tone.line });
    if (priceBlock) sheet.place(priceBlock, x, footTop, tone.accent);
    const line = footTop + footHeight / 2;
    const ctaWidth = inner * (priceBlock ? 0.5 : 1) - 60 * u;
    if (cta) {
      const block = sheet.fit(cta, {
        face: 'semibold',
        tracking: -0.015,
        size: 34 * u,
        width: ctaWidth,
        height: 52 * u,
        maxLines: 1,
      });
      const left = priceBlock ? x + inner - block.width - 60 * u : x;
      sheet.place(block, left, line - block.height / 2, tone.text);
      arrow(sheet, left + block.width + 18 * u, line, 38 * u, tone.accent);
    } else if (!landscape) {
      const align = priceBlock ? 'right' : 'left';
      const half = priceBlock ? inner * 0.5 : 0;
      brandMark(sheet, tone, palette.name, { x: x + half, y: line - 11 * u, width: inner - half, align });
    }
  },
};
