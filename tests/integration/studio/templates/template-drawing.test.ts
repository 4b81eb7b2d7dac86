import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { ImageResponse } from 'next/og.js';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { probeImageFile } from '#lib/storage/media/probe.ts';
import { composePages, drawTemplate } from '#lib/studio/templates/draw.ts';
import { allDrawingFonts } from '#lib/studio/templates/drawing/fonts.ts';
import { decodePhoto, placePhoto } from '#lib/studio/templates/drawing/images.ts';
import { contrast, paletteOf } from '#lib/studio/templates/drawing/palette.ts';
import { Sheet } from '#lib/studio/templates/drawing/sheet.ts';
import { drawnText, upperCase } from '#lib/studio/templates/drawing/text.ts';
import type { RenderFields, TemplateDefinition } from '#lib/studio/templates/drawing/types.ts';
import {
  parseRenderFields,
  parseRenderSize,
  textsOf,
  undrawableProblems,
} from '#lib/studio/templates/fields.ts';
import { exampleFields, listTemplates, renderFileNames, TEMPLATES } from '#lib/studio/templates/registry.ts';
import { brokenFields, longestFields, shortestFields, widestFields } from './template-samples.ts';

const brand = { name: 'Atelier Rousseau', colour: '#2f4bd8', ink: '#14141a', paper: '#f7f4ee' };
const everySize = TEMPLATES.flatMap((template) => template.sizes.map((size) => ({ template, size })));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function refusal(run: () => unknown): ServiceError {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

function page(template: TemplateDefinition, fields: RenderFields, sizeId: string) {
  const size = parseRenderSize(template.id, sizeId);
  return composePages(template, fields, size, { brand });
}

describe('templates', () => {
  const realFetch = globalThis.fetch;
  const remote = vi.fn();
  beforeEach(() => {
    remote.mockClear();
    // The drawing library loads its layout engine from a data: address; anything else would be the network.
    globalThis.fetch = ((input: string | URL, init?: RequestInit) => {
      if (String(input).startsWith('data:')) return realFetch(input, init);
      remote(String(input));
      return Promise.reject(new Error('the network was asked'));
    }) as typeof fetch;
  });
  afterEach(() => {
    globalThis.fetch = realFetch;
    expect(remote).not.toHaveBeenCalled();
  });

  it('are at least eight, each with unique ids, French words, sizes and an example that its own rules accept', () => {
    expect(TEMPLATES.length).toBeGreaterThanOrEqual(8);
    expect(new Set(TEMPLATES.map(({ id }) => id)).size).toBe(TEMPLATES.length);
    for (const template of listTemplates()) {
      expect(template.sizes.length).toBeGreaterThan(0);
      expect(new Set(template.fields.map(({ id }) => id)).size).toBe(template.fields.length);
    }
    for (const template of TEMPLATES) {
      const images = template.fields.filter(({ kind, required }) => kind === 'image' && required);
      const fields = {
        ...exampleFields(template),
        ...Object.fromEntries(images.map(({ id }) => [id, 'references/a.png'])),
      };
      expect(parseRenderFields(template.id, fields)).toMatchObject(exampleFields(template));
      expect(undrawableProblems(template, exampleFields(template))).toEqual([]);
      for (const { text } of textsOf(template, exampleFields(template)))
        expect(text).not.toMatch(/[—'"]|\p{Extended_Pictographic}/u);
    }
  });

  it.each(everySize)(
    '$template.id at $size.id draws a PNG of that very size, one per page',
    async ({ template, size }) => {
      for (const fields of [exampleFields(template), longestFields(template), shortestFields(template)]) {
        const files = await drawTemplate(template.id, fields, { size: size.id, brand, placeholders: true });
        expect(files.map(({ name }) => name)).toEqual(renderFileNames(template, fields, size));
        for (const file of files) {
          const { data, info } = await sharp(file.bytes).raw().toBuffer({ resolveWithObject: true });
          expect([info.width, info.height]).toEqual([size.width, size.height]);
          expect(new Set(data.subarray(0, 400_000)).size).toBeGreaterThan(1);
        }
      }
    },
  );

  it.each(everySize)(
    '$template.id at $size.id keeps every text inside the page and off every other text',
    ({ template, size }) => {
      for (const fields of [
        exampleFields(template),
        longestFields(template),
        widestFields(template),
        brokenFields(template),
        shortestFields(template),
      ]) {
        for (const sheet of page(template, fields, size.id)) {
          const edge = 0.03 * Math.min(size.width, size.height);
          for (const text of sheet.texts) {
            expect(text.x, text.text).toBeGreaterThanOrEqual(edge);
            expect(text.y, text.text).toBeGreaterThanOrEqual(edge);
            expect(text.x + text.width, text.text).toBeLessThanOrEqual(size.width - edge + 0.5);
            expect(text.y + text.height, text.text).toBeLessThanOrEqual(size.height - edge + 0.5);
          }
          sheet.texts.forEach((a, i) => {
            for (const b of sheet.texts.slice(i + 1)) {
              const apart =
                a.x + a.width <= b.x + 0.5 ||
                b.x + b.width <= a.x + 0.5 ||
                a.y + a.height <= b.y + 0.5 ||
                b.y + b.height <= a.y + 0.5;
              expect(apart, `« ${a.text} » over « ${b.text} »`).toBe(true);
            }
          });
        }
      }
    },
  );

  it.each(everySize)(
    '$template.id at $size.id stays legible with every field full of prose, and loses none of it',
    ({ template, size }) => {
      const fields = longestFields(template);
      const sheets = page(template, fields, size.id);
      const smallest = Math.min(...sheets.flatMap(({ texts }) => texts.map((text) => text.size)));
      expect(smallest).toBeGreaterThanOrEqual(11);
      const letters = (text: string) => text.replace(/[^\p{L}]/gu, '').toLocaleLowerCase('fr');
      const drawn = letters(sheets.flatMap(({ texts }) => texts.map(({ text }) => text)).join(''));
      for (const { text, field } of textsOf(template, fields)) expect(drawn, field).toContain(letters(text));
    },
  );

  it.each(everySize)(
    '$template.id in $size.id: draws each text that is given, whichever others are left empty',
    ({ template, size }) => {
      for (const field of template.fields) {
        if (field.kind === 'image' || field.kind === 'colour') continue;
        const alone = field.kind === 'list' ? undefined : 'Zouk';
        const items = Array.from({ length: field.minItems ?? 1 }, () =>
          Object.fromEntries((field.item ?? []).map(({ id }) => [id, 'Zouk'])),
        );
        const fields = { ...shortestFields(template), [field.id]: alone ?? items };
        const drawn = page(template, fields, size.id).flatMap(({ texts }) => texts.map(({ text }) => text));
        expect(drawn.join(' ').toLowerCase(), field.id).toContain('zouk');
      }
    },
  );

  it('draws each line where it was measured: the ink stays inside the predicted box', async () => {
    for (const face of ['regular', 'medium', 'semibold', 'bold', 'black', 'mono'] as const) {
      const sheet = new Sheet({ width: 1000, height: 600 });
      sheet.ground('#ffffff');
      const block = sheet.fit('Ho L’été « AVATAR » : Wifi, Tôle, 1 234,50 €, yoga', {
        face,
        tracking: -0.035,
        size: 90,
        width: 800,
        height: 460,
      });
      sheet.place(block, 100, 80, '#000000');
      const image = new ImageResponse(await sheet.element(placePhoto), {
        width: 1000,
        height: 600,
        fonts: allDrawingFonts(),
      });
      const { info } = await sharp(Buffer.from(await image.arrayBuffer()))
        .trim({ background: '#ffffff', threshold: 40 })
        .toBuffer({ resolveWithObject: true });
      const [left, top] = [-(info.trimOffsetLeft ?? 0), -(info.trimOffsetTop ?? 0)];
      expect(left, face).toBeGreaterThanOrEqual(100 - 2);
      expect(left + info.width, face).toBeLessThanOrEqual(100 + block.width + 4);
      // Accents rise above the capitals and tails hang under the baseline by less than a third of the size.
      expect(top, face).toBeGreaterThanOrEqual(80 - block.size * 0.3);
      expect(top, face).toBeLessThanOrEqual(80 + 2);
      expect(top + info.height, face).toBeLessThanOrEqual(80 + block.height + block.size * 0.33);
    }
  });

  it('breaks a word that is wider than its box at the smallest size of all, whatever size was asked', () => {
    const sheet = new Sheet({ width: 1000, height: 600 });
    const block = sheet.fit('mmmm', { face: 'mono', size: 12, width: 6, height: 20 });
    expect(block).toMatchObject({ size: 8, lines: Array(4).fill({ text: 'm' }) });
  });

  it('keeps the line breaks that were typed, unless they leave no legible size: then all is set, without them', () => {
    const sheet = new Sheet({ width: 1000, height: 600 });
    const box = { face: 'regular', size: 40, width: 400, height: 100 } as const;
    expect(sheet.fit('Deux vers\nd’un poème', box).lines.map(({ text }) => text)).toEqual([
      'Deux vers',
      'd’un poème',
    ]);
    const broken = sheet.fit('o\n'.repeat(100), box);
    expect(broken.height).toBeLessThanOrEqual(box.height);
    expect(broken.size).toBeGreaterThanOrEqual(11);
    expect(broken.lines.map(({ text }) => text).join(' ')).toBe('o '.repeat(100).trim());
  });

  it('ends a long brand name after a whole word, and says that it goes on', () => {
    const template = TEMPLATES.find(({ id }) => id === 'quote-card') as TemplateDefinition;
    const size = parseRenderSize(template.id, '1080x1080');
    const named = (name: string) =>
      composePages(template, { quote: 'Oui', author: 'Moi' }, size, { brand: { ...brand, name } }).flatMap(
        ({ texts }) => texts.map(({ text }) => text),
      );
    expect(named('Parfums d’intérieur de la Maison Lumen à l’orange')).toContain(
      'Parfums d’intérieur de la Maison Lumen…',
    );
    expect(named('Savons de la Maison Lumen')).toContain('Savons de la Maison Lumen');
  });

  it('draws micrograms and micrometres, whichever sign was typed, and leaves them so in capitals', () => {
    const template = TEMPLATES.find(({ id }) => id === 'quote-card') as TemplateDefinition;
    expect(undrawableProblems(template, { quote: '10 \u00b5g, 5 \u03bcm', author: 'Moi' })).toEqual([]);
    expect(upperCase('été 10 \u00b5g')).toBe('ÉTÉ 10 \u00b5G');
  });

  it('takes a text of invisible characters alone for an empty one', () => {
    const { options } = refusal(() => parseRenderFields('quote-card', { quote: '\u200b', author: 'Moi' }));
    expect(options.problems?.map(({ field }) => field)).toEqual(['quote']);
    const given = { quote: 'Oui', author: 'Moi', role: '\u00ad\u200b' };
    expect(parseRenderFields('quote-card', given)).toEqual({ quote: 'Oui', author: 'Moi' });
  });

  it('draws what was pasted with marks that nobody sees, and spaces of any width', () => {
    expect(drawnText('\u200eBonjour\u2003à\u202f:\u2028tous\u200d, \u202aici\u202c')).toBe(
      'Bonjour à\u00a0: tous, ici',
    );
    const template = TEMPLATES.find(({ id }) => id === 'quote-card') as TemplateDefinition;
    const pasted = { quote: '\u2068Un\u2002mot\u2069\u2029', author: '\u200fMoi' };
    expect(undrawableProblems(template, pasted)).toEqual([]);
  });

  it('draws the same bytes twice, and in another process', async () => {
    const options = { size: '1080x1350', brand, placeholders: true } as const;
    const hashes = async () =>
      (
        await drawTemplate(
          'carousel',
          exampleFields(TEMPLATES.find(({ id }) => id === 'carousel') as TemplateDefinition),
          options,
        )
      ).map(({ bytes }) => sha256(bytes));
    const first = await hashes();
    expect(await hashes()).toEqual(first);
    const script = `
      import { createHash } from 'node:crypto';
      import { drawTemplate } from '#lib/studio/templates/draw.ts';
      import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
      const files = await drawTemplate('carousel', exampleFields(findTemplate('carousel')), ${JSON.stringify(options)});
      console.log(JSON.stringify(files.map((f) => createHash('sha256').update(f.bytes).digest('hex'))));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(out)).toEqual(first);
  });

  it('takes every photograph that a reference may be: of 45 million pixels, and one whose checksum is off', async () => {
    const large = await sharp({ create: { width: 9_000, height: 5_000, channels: 3, background: '#c81e5a' } })
      .jpeg()
      .toBuffer();
    expect((await sharp(await decodePhoto(large)).metadata()).width).toBe(3_000);
    const damaged = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#c81e5a' } })
      .png()
      .toBuffer();
    const data = damaged.indexOf('IDAT');
    const checksum = data + 4 + damaged.readUInt32BE(data - 4);
    damaged.writeUInt8(damaged.readUInt8(checksum) ^ 1, checksum);
    expect(await probeImageFile(damaged, { maxBytes: 1_000_000 })).toMatchObject({ width: 30, height: 20 });
    expect(await sharp(await decodePhoto(damaged)).metadata()).toMatchObject({ width: 30, height: 20 });
  });

  it('places a photograph it was given by bytes, by reference or inline, and refuses one it cannot read', async () => {
    const bytes = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#c81e5a' } })
      .jpeg()
      .toBuffer();
    const template = TEMPLATES.find(({ id }) => id === 'product-card') as TemplateDefinition;
    const fields = { ...exampleFields(template), badge: '', photo: 'references/a.jpg' };
    const [byReference] = await drawTemplate(template.id, fields, {
      size: '1080x1080',
      brand,
      images: { 'references/a.jpg': bytes },
    });
    const inline = { ...fields, photo: `data:image/jpeg;base64,${bytes.toString('base64')}` };
    const [byData] = await drawTemplate(template.id, inline, { size: '1080x1080', brand });
    expect(sha256(byReference?.bytes as Buffer)).toBe(sha256(byData?.bytes as Buffer));
    const pixel = await sharp(byReference?.bytes)
      .extract({ left: 540, top: 200, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(Math.abs((pixel[0] as number) - 0xc8)).toBeLessThan(8);
    await expect(drawTemplate(template.id, fields, { size: '1080x1080' })).rejects.toMatchObject({
      code: 'image-unreadable',
    });
    const garbage = { 'references/a.jpg': Buffer.from('not an image') };
    await expect(
      drawTemplate(template.id, fields, { size: '1080x1080', images: garbage }),
    ).rejects.toMatchObject({ code: 'image-unreadable' });
  });

  it('keeps the brand’s name readable on a story, however bright its photograph', async () => {
    const white = await sharp({ create: { width: 540, height: 960, channels: 3, background: '#ffffff' } })
      .png()
      .toBuffer();
    const photo = `data:image/png;base64,${white.toString('base64')}`;
    const fields = { title: 'Oui', photo };
    const template = TEMPLATES.find(({ id }) => id === 'story') as TemplateDefinition;
    const name = page(template, fields, '1080x1920')[0]?.texts.find(({ text }) => text === brand.name);
    const [drawn] = await drawTemplate('story', fields, { size: '1080x1920', brand });
    // Beside the name, on its line: nothing but the photograph and what is laid over it.
    const pixel = await sharp(drawn?.bytes)
      .extract({ left: 1_000, top: Math.round((name?.y ?? 0) + (name?.height ?? 0)), width: 1, height: 1 })
      .raw()
      .toBuffer();
    const behind = `#${pixel.subarray(0, 3).toString('hex')}`;
    expect(contrast(brand.paper, behind)).toBeGreaterThanOrEqual(4.5);
  });

  it('refuses, rather than looks up on the network, a character the fonts do not have', async () => {
    const fields = { quote: 'Bonjour 日本 😀', author: 'Moi' };
    await expect(drawTemplate('quote-card', fields, { size: '1080x1080' })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'characters', problems: [{ field: 'quote' }] },
    });
    const named = await drawTemplate(
      'quote-card',
      { quote: 'Oui', author: 'Moi' },
      { size: '1080x1080', brand: { name: 'Été 日本' } },
    );
    expect(named).toHaveLength(1);
  });

  it('names every wrong field in French, unknown ones too', () => {
    const slides = [{ title: '' }, { title: 'x'.repeat(71), other: 'y' }];
    const { code, options } = refusal(() =>
      parseRenderFields('carousel', { title: 4, slides, nope: 'x', accent: 'blue' }),
    );
    expect([code, options.detail]).toEqual(['invalid', 'fields']);
    const problems = Object.fromEntries(
      (options.problems ?? []).map(({ field, message }) => [field, message]),
    );
    expect(problems).toMatchObject({
      title: '« Titre » doit être un texte.',
      'slides[0].title': '« Titre de la page » est à remplir.',
      'slides[1].title': '« Titre de la page » dépasse 70 caractères.',
      'slides[1].other': 'Ce gabarit n’a pas de champ « slides[1].other ».',
      nope: 'Ce gabarit n’a pas de champ « nope ».',
      closing: '« Conclusion » est à remplir.',
      accent: '« Couleur d’accent » doit être une couleur comme #2f4bd8.',
    });
    expect(refusal(() => parseRenderFields('none', {})).options.detail).toBe('template');
    expect(refusal(() => parseRenderSize('story', '10x10')).options.problems?.[0]?.message).toContain(
      '1080x1920',
    );
  });

  it.each([
    'references/../x.png',
    '/etc/passwd',
    'http://a.b/c.png',
    'generations/a%2fb',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'file:///x',
  ])('refuses %s as an image', (photo) => {
    const { options } = refusal(() => parseRenderFields('product-card', { photo, name: 'a', benefit: 'b' }));
    expect(options.problems).toEqual([
      { field: 'photo', message: '« Photo du produit » n’est pas une image utilisable.' },
    ]);
  });

  it('keeps every text readable whatever the brand colours', () => {
    const colours = ['#ffffff', '#000000', '#ffe600', '#e4572e', '#2f4bd8', '#7f7f7f', '#9bd1c0'];
    for (const colour of colours)
      for (const paper of ['#ffffff', '#f7f4ee', '#101010'])
        for (const ink of ['#14141a', '#ffffff']) {
          const { light, dark, vivid } = paletteOf({ name: '', colour, ink, paper });
          for (const scheme of [light, dark, vivid])
            for (const text of [scheme.text, scheme.muted, scheme.accent])
              for (const under of [scheme.ground, scheme.shade])
                expect(contrast(text, under), `${text} on ${under}`).toBeGreaterThanOrEqual(4.49);
        }
  });
});
