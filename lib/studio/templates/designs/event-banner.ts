import {
  ACCENT_FIELD,
  arrow,
  BODY,
  brandMark,
  HEADLINE,
  label,
  margin,
  rings,
} from '../drawing/shared-layout.ts';
import { LINK, PORTRAIT, SQUARE, WIDE } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const eventBanner: TemplateDefinition = {
  id: 'event-banner',
  name: 'Bannière d’événement',
  description:
    'La date comme sur un billet, le titre, le lieu. Pour un atelier, une porte ouverte, un direct.',
  sizes: [LINK, WIDE, SQUARE, PORTRAIT],
  fields: [
    {
      id: 'eyebrow',
      label: 'Type d’événement',
      kind: 'text',
      required: false,
      maxLength: 36,
      example: 'Atelier ouvert',
    },
    {
      id: 'title',
      label: 'Titre',
      kind: 'text',
      required: true,
      maxLength: 90,
      example: 'Couler sa première bougie',
    },
    {
      id: 'text',
      label: 'Précision',
      kind: 'longText',
      required: false,
      maxLength: 140,
      example: 'Deux heures, huit places, tout le matériel est fourni.',
    },
    { id: 'day', label: 'Jour', kind: 'text', required: true, maxLength: 8, example: '12' },
    { id: 'month', label: 'Mois', kind: 'text', required: true, maxLength: 16, example: 'décembre' },
    { id: 'time', label: 'Heure', kind: 'text', required: false, maxLength: 20, example: '18 h 30' },
    {
      id: 'place',
      label: 'Lieu',
      kind: 'text',
      required: true,
      maxLength: 60,
      example: '4, rue des Lices, Rennes',
    },
    {
      id: 'cta',
      label: 'Appel à l’action',
      kind: 'text',
      required: false,
      maxLength: 30,
      example: 'Réserver',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height, landscape } = sheet;
    const dark = palette.dark;
    const vivid = palette.vivid;
    const m = margin(sheet) * (landscape ? 0.9 : 1);
    sheet.ground(dark.ground);
    rings(sheet, 0, landscape ? 0 : height * 0.1, dark.shade, 6, 160 * u, 110 * u);

    // The ticket: date and place on the brand's colour, cut off by two notches.
    const ticketHeight = 430 * u;
    const ticket = landscape
      ? { x: width * 0.655, y: 0, width: width * 0.345, height }
      : { x: 0, y: height - ticketHeight, width, height: ticketHeight };
    sheet.rect(ticket, { fill: vivid.ground });
    const notch = 30 * u;
    if (landscape) {
      sheet.circle(ticket.x, 0, notch, { fill: dark.ground });
      sheet.circle(ticket.x, height, notch, { fill: dark.ground });
      for (let y = notch * 2; y < height - notch * 1.5; y += 28 * u)
        sheet.circle(ticket.x, y, 4 * u, { fill: dark.ground });
    } else {
      sheet.circle(0, ticket.y, notch, { fill: dark.ground });
      sheet.circle(width, ticket.y, notch, { fill: dark.ground });
      for (let x = notch * 2; x < width - notch * 1.5; x += 28 * u)
        sheet.circle(x, ticket.y, 4 * u, { fill: dark.ground });
    }

    const tx = ticket.x + (landscape ? 66 * u : m);
    const tw = ticket.width - (landscape ? 66 * u + m * 0.8 : 2 * m);
    const tTop = ticket.y + (landscape ? m : 76 * u);
    const tBottom = height - m;
    const column = landscape ? tw : tw * 0.46;
    const day = sheet.fit(fields.text('day'), {
      face: 'black',
      tracking: -0.06,
      size: 300 * u,
      width: column,
      height: (tBottom - tTop) * (landscape ? 0.4 : 0.72),
      maxLines: 1,
    });
    sheet.place(day, tx - 6 * u, tTop, vivid.text);
    const month = sheet.fit(fields.text('month'), {
      face: 'bold',
      tracking: -0.03,
      size: 62 * u,
      width: column,
      height: 80 * u,
      maxLines: 1,
    });
    sheet.place(month, tx, tTop + day.height + 34 * u, vivid.text);
    const time = fields.text('time');
    const px = landscape ? tx : tx + tw * 0.52;
    const pw = landscape ? tw : tw * 0.48;
    const place = sheet.fit(fields.text('place'), {
      face: 'semibold',
      tracking: -0.015,
      leading: 1.25,
      size: 38 * u,
      width: pw,
      height: 150 * u,
      maxLines: 3,
    });
    const timeBlock = time
      ? sheet.fit(time, {
          face: 'semibold',
          tracking: -0.015,
          size: 38 * u,
          width: pw,
          height: 60 * u,
          maxLines: 1,
        })
      : undefined;
    if (landscape) {
      const placeTop = tBottom - place.height;
      sheet.place(place, px, placeTop, vivid.text);
      if (timeBlock) sheet.place(timeBlock, px, placeTop - 30 * u - timeBlock.height, vivid.text);
      const ruleY = placeTop - (timeBlock ? 30 * u + timeBlock.height : 0) - 40 * u;
      sheet.rect({ x: px, y: ruleY, width: pw, height: 2 * u }, { fill: vivid.line });
    } else {
      sheet.rect({ x: px - tw * 0.03, y: tTop, width: 2 * u, height: tBottom - tTop }, { fill: vivid.line });
      let y = tTop;
      if (timeBlock) y = sheet.place(timeBlock, px, y, vivid.text) + 38 * u;
      sheet.place(place, px, y, vivid.text);
    }

    const inner = (landscape ? ticket.x - 60 * u : width - m) - m;
    const top = m;
    const bottom = (landscape ? height : ticket.y) - (landscape ? m : 84 * u);
    brandMark(sheet, dark, palette.name, { x: m, y: top, width: inner });
    const cta = fields.text('cta');
    let y = bottom;
    if (cta) {
      const block = sheet.fit(cta, {
        face: 'semibold',
        tracking: -0.015,
        size: 36 * u,
        width: inner - 80 * u,
        height: 56 * u,
        maxLines: 1,
      });
      y -= block.height;
      sheet.place(block, m, y, dark.accent);
      arrow(sheet, m + block.width + 20 * u, y + block.height / 2, 42 * u, dark.accent);
      y -= 58 * u;
    }
    const text = fields.text('text');
    if (text) {
      const block = sheet.fit(text, { ...BODY, size: 36 * u, width: inner, height: (bottom - top) * 0.24 });
      y -= block.height;
      sheet.place(block, m, y, dark.muted);
      y -= 56 * u;
    }
    const eyebrow = fields.text('eyebrow');
    const ceiling = top + (palette.name ? 80 * u : 0) + (eyebrow ? 58 * u : 0);
    const title = sheet.fit(fields.text('title'), {
      ...HEADLINE,
      size: 124 * u,
      minSize: 48 * u,
      width: inner,
      height: y - ceiling,
    });
    y -= title.height;
    sheet.place(title, m, y, dark.text);
    if (eyebrow) sheet.place(label(sheet, eyebrow, inner, 26), m, y - 54 * u, dark.accent);
  },
};
