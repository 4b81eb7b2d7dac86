import { ACCENT_FIELD, BODY, brandMark, check, HEADLINE, label, margin } from '../drawing/shared-layout.ts';
import { PORTRAIT, SQUARE, STORY } from '../drawing/sizes.ts';
import type { TemplateDefinition } from '../drawing/types.ts';

export const announcement: TemplateDefinition = {
  id: 'announcement',
  name: 'Annonce ou prix',
  description:
    'Un chiffre ou un mot en très grand, ce qu’il comprend, ses conditions. Pour une offre ou un tarif.',
  sizes: [SQUARE, PORTRAIT, STORY],
  fields: [
    {
      id: 'eyebrow',
      label: 'Rubrique',
      kind: 'text',
      required: false,
      maxLength: 36,
      example: 'Offre d’hiver',
    },
    {
      id: 'offer',
      label: 'Chiffre ou mot en grand',
      kind: 'text',
      required: true,
      maxLength: 14,
      example: '−20 %',
    },
    {
      id: 'title',
      label: 'Titre',
      kind: 'text',
      required: true,
      maxLength: 80,
      example: 'Sur toutes les bougies coulées à la main',
    },
    {
      id: 'points',
      label: 'Ce que cela comprend',
      kind: 'list',
      required: false,
      minItems: 1,
      maxLength: 4,
      item: [{ id: 'text', label: 'Point', kind: 'text', required: true, maxLength: 60 }],
      example: [{ text: 'Emballage cadeau offert' }, { text: 'Échange possible en boutique' }],
    },
    { id: 'code', label: 'Code', kind: 'text', required: false, maxLength: 16, example: 'HIVER' },
    {
      id: 'conditions',
      label: 'Conditions',
      kind: 'longText',
      required: false,
      maxLength: 160,
      example: 'Jusqu’à dimanche minuit, hors coffrets, dans la limite des stocks.',
    },
    ACCENT_FIELD,
  ],
  pages: () => 1,
  draw({ sheet, palette, fields }) {
    const { u, width, height } = sheet;
    const tone = palette.vivid;
    const m = margin(sheet);
    const inner = width - 2 * m;
    const tall = height > width * 1.5;
    const top = tall ? 250 * u : m;
    const bottom = height - (tall ? 300 * u : m);
    sheet.ground(tone.ground);
    sheet.circle(width * 1.02, height * 0.02, 430 * u, { fill: tone.shade });
    brandMark(sheet, tone, palette.name, { x: m, y: top, width: inner * 0.6 });
    const eyebrow = fields.text('eyebrow');
    if (eyebrow) {
      const block = label(sheet, eyebrow, inner * (palette.name ? 0.38 : 1), 25);
      sheet.place(block, m, top, tone.text, palette.name ? 'right' : 'left', inner);
    }

    let floor = bottom;
    const conditions = fields.text('conditions');
    if (conditions) {
      const block = sheet.fit(conditions, {
        ...BODY,
        leading: 1.3,
        size: 26 * u,
        width: inner,
        height: 76 * u,
      });
      floor -= block.height;
      sheet.place(block, m, floor, tone.muted);
      floor -= 36 * u;
      sheet.rect({ x: m, y: floor, width: inner, height: 2 * u }, { fill: tone.line });
      floor -= 44 * u;
    }
    const code = fields.text('code');
    const points = fields.list('points');
    const codeWidth = code ? inner * 0.34 : 0;
    const pointWidth = inner - (code ? codeWidth + 48 * u : 0) - 62 * u;
    const blocks = points.map((point) =>
      sheet.fit(point.text ?? '', {
        face: 'medium',
        tracking: -0.012,
        leading: 1.22,
        size: 34 * u,
        width: pointWidth,
        height: 84 * u,
        maxLines: 2,
      }),
    );
    const rows = blocks.map((block) => Math.max(block.height, 34 * u) + 26 * u);
    const pointsHeight = rows.length ? rows.reduce((sum, row) => sum + row, 0) - 26 * u : 0;
    const codeHeight = code ? 128 * u : 0;
    const zone = Math.max(pointsHeight, codeHeight);
    const zoneTop = floor - zone;
    let y = zoneTop + (zone - pointsHeight) / 2;
    blocks.forEach((block, i) => {
      const row = (rows[i] as number) - 26 * u;
      check(sheet, m + 18 * u, y + row / 2, 18 * u, tone.text, tone.ground);
      sheet.place(block, m + 62 * u, y + (row - block.height) / 2, tone.text);
      y += row + 26 * u;
    });
    if (code) {
      const x = points.length ? m + inner - codeWidth : m;
      const r = { x, y: zoneTop + (zone - codeHeight) / 2, width: codeWidth, height: codeHeight };
      sheet.rect(r, { stroke: tone.text, strokeWidth: 3 * u, radius: 22 * u, dash: `${12 * u} ${9 * u}` });
      const caption = label(sheet, 'Code', codeWidth, 20);
      const value = sheet.fit(code, {
        face: 'bold',
        tracking: 0.03,
        size: 46 * u,
        width: codeWidth - 40 * u,
        height: 56 * u,
        maxLines: 1,
      });
      const start = r.y + (codeHeight - caption.height - 22 * u - value.height) / 2;
      sheet.place(caption, x, start, tone.muted, 'center', codeWidth);
      sheet.place(value, x, start + caption.height + 22 * u, tone.text, 'center', codeWidth);
    }

    const ceiling = top + 110 * u;
    const titleFloor = zoneTop - (zone ? 74 * u : 0);
    const room = titleFloor - ceiling;
    const title = sheet.fit(fields.text('title'), {
      ...HEADLINE,
      size: (tall ? 84 : 70) * u,
      minSize: 36 * u,
      width: inner,
      height: room * 0.36,
      maxLines: 3,
    });
    const offer = sheet.fit(fields.text('offer'), {
      face: 'black',
      tracking: -0.055,
      size: 430 * u,
      width: inner,
      height: room - title.height - 76 * u,
      maxLines: 1,
      minSize: 80 * u,
    });
    const titleTop = titleFloor - title.height;
    const free = titleTop - 72 * u - offer.height - ceiling;
    sheet.place(offer, m - 8 * u, ceiling + Math.max(0, free), tone.text);
    sheet.place(title, m, titleTop, tone.text);
  },
};
