import { mix } from '../drawing/palette.ts';
import { ACCENT_FIELD, BODY, brandMark, buttonColours, margin, quoteMark } from '../drawing/shared-layout.ts';
import { LINK, PORTRAIT, SQUARE, STORY } from '../drawing/sizes.ts';
import { upperCase } from '../drawing/text.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

/** First letters of the first and last words of a name. */
function initials(name: string): string {
  const words = name.split(/[\s-]+/).filter((word) => /\p{L}/u.test(word));
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return upperCase(picked.map((word) => word?.match(/\p{L}/u)?.[0] ?? '').join(''));
}

export const testimonial: TemplateDefinition = {
  id: 'testimonial',
  name: 'Témoignage',
  description:
    'Les mots d’un client sur une carte, son visage ou ses initiales, et un résultat si vous en avez un.',
  sizes: [SQUARE, PORTRAIT, STORY, LINK],
  fields: [
    {
      id: 'quote',
      label: 'Témoignage',
      kind: 'longText',
      required: true,
      maxLength: 360,
      example:
        'J’ai offert la bougie à ma mère. Depuis, c’est elle qui me demande quand arrive la prochaine collection.',
    },
    {
      id: 'customer',
      label: 'Nom du client',
      kind: 'text',
      required: true,
      maxLength: 50,
      example: 'Inès Lefèvre',
    },
    {
      id: 'context',
      label: 'Qui est-ce',
      kind: 'text',
      required: false,
      maxLength: 70,
      example: 'Cliente depuis deux hivers',
    },
    { id: 'portrait', label: 'Portrait', kind: 'image', required: false, hint: 'Sans lui, les initiales.' },
    { id: 'figure', label: 'Résultat', kind: 'text', required: false, maxLength: 12, example: '45 h' },
    {
      id: 'figureLabel',
      label: 'Ce que dit le résultat',
      kind: 'text',
      required: false,
      maxLength: 50,
      example: 'de parfum, vérifiées chez elle',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const page = palette.vivid;
    const tone = palette.light;
    const m = margin(sheet) * 0.78;
    const tall = height > width * 1.5;
    const card = {
      x: m,
      y: tall ? 250 * u : m,
      width: width - 2 * m,
      height: height - (tall ? 550 * u : 2 * m),
    };
    sheet.ground(page.ground);
    sheet.circle(0, height, width * 0.5, { fill: page.shade });
    sheet.circle(width, 0, width * 0.34, { fill: page.shade });
    sheet.rect(card, { fill: tone.ground, radius: 44 * u });
    const pad = (landscape ? 60 : 72) * u;
    const x = card.x + pad;
    const inner = card.width - 2 * pad;
    const top = card.y + pad;
    const bottom = card.y + card.height - pad;

    const avatar = (landscape ? 96 : 116) * u;
    const personTop = bottom - avatar;
    const customer = fields.text('customer');
    const portrait = fields.photo('portrait');
    if (portrait) {
      const at = { x, y: personTop, width: avatar, height: avatar };
      sheet.photo(at, portrait, { radius: avatar / 2, ground: tone.shade, tone: tone.accent });
    } else {
      const button = buttonColours(tone);
      sheet.circle(x + avatar / 2, personTop + avatar / 2, avatar / 2, { fill: button.fill });
      const letters = sheet.fit(initials(customer) || customer.slice(0, 1), {
        face: 'bold',
        tracking: 0,
        size: avatar * 0.38,
        width: avatar,
        height: avatar,
      });
      sheet.place(letters, x, personTop + (avatar - letters.height) / 2, button.text, 'center', avatar);
    }
    const nameX = x + avatar + 30 * u;
    const figure = fields.text('figure');
    const figureLabel = fields.text('figureLabel');
    const hasResult = figure !== '' || figureLabel !== '';
    const figureWidth = landscape && hasResult ? inner * 0.3 : 0;
    const nameWidth = x + inner - nameX - figureWidth;
    const context = fields.text('context');
    const name = sheet.fit(customer, {
      face: 'bold',
      tracking: -0.02,
      size: 38 * u,
      width: nameWidth,
      height: 56 * u,
      maxLines: 1,
    });
    const role = context
      ? sheet.fit(context, { ...BODY, size: 30 * u, width: nameWidth, height: 46 * u, maxLines: 1 })
      : undefined;
    const nameHeight = name.height + (role ? 24 * u + role.height : 0);
    const nameTop = personTop + (avatar - nameHeight) / 2;
    sheet.place(name, nameX, nameTop, tone.text);
    if (role) sheet.place(role, nameX, nameTop + name.height + 24 * u, tone.muted);

    let floor = personTop - (landscape ? 44 : 58) * u;
    if (hasResult && landscape) {
      const fx = x + inner - figureWidth + 24 * u;
      if (figure) {
        const value = sheet.fit(figure, {
          face: 'black',
          tracking: -0.045,
          size: 66 * u,
          width: figureWidth - 24 * u,
          height: 60 * u,
          maxLines: 1,
        });
        sheet.place(value, fx, personTop, tone.accent, 'right', figureWidth - 24 * u);
      }
      if (figureLabel) {
        const text = sheet.fit(figureLabel, {
          ...BODY,
          leading: 1.2,
          size: 25 * u,
          width: figureWidth - 24 * u,
          height: 54 * u,
          maxLines: 2,
        });
        sheet.place(
          text,
          fx,
          personTop + avatar - text.height - 4 * u,
          tone.muted,
          'right',
          figureWidth - 24 * u,
        );
      }
    } else if (hasResult) {
      const band = { x, y: floor - 132 * u, width: inner, height: 132 * u };
      sheet.rect(band, { fill: mix(tone.accent, tone.ground, 0.1), radius: 24 * u });
      const value = figure
        ? sheet.fit(figure, {
            face: 'black',
            tracking: -0.045,
            size: 84 * u,
            width: inner * 0.42,
            height: 80 * u,
            maxLines: 1,
          })
        : undefined;
      if (value) sheet.place(value, x + 36 * u, band.y + (band.height - value.height) / 2, tone.accent);
      if (figureLabel) {
        const tx = x + 36 * u + (value ? value.width + 32 * u : 0);
        const text = sheet.fit(figureLabel, {
          face: 'medium',
          tracking: -0.01,
          leading: 1.25,
          size: 32 * u,
          width: x + inner - 32 * u - tx,
          height: 84 * u,
          maxLines: 2,
        });
        sheet.place(text, tx, band.y + (band.height - text.height) / 2, tone.text);
      }
      floor = band.y - 56 * u;
    }

    const mark = (landscape ? 46 : 66) * u;
    quoteMark(sheet, x, top, mark, tone.accent);
    brandMark(sheet, tone, palette.name, {
      x: x + inner * 0.4,
      y: top + 6 * u,
      width: inner * 0.6,
      align: 'right',
    });
    const quoteTop = top + mark + (landscape ? 36 : 58) * u;
    const quote = sheet.fit(fields.text('quote'), {
      face: 'medium',
      tracking: -0.024,
      leading: 1.24,
      size: (tall ? 96 : 80) * u,
      minSize: 30 * u,
      width: inner,
      height: floor - quoteTop,
    });
    const spare = floor - quoteTop - quote.height;
    sheet.place(quote, x, quoteTop + spare * 0.4, tone.text);
  },
};
