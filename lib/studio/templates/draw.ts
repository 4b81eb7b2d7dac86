import { ImageResponse } from 'next/og.js';
import { ServiceError } from '#lib/core/errors.ts';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { allDrawingFonts, undrawable } from './drawing/fonts.ts';
import { decodePhoto, PhotoError, placePhoto } from './drawing/images.ts';
import { type Brand, DEFAULT_BRAND, paletteOf } from './drawing/palette.ts';
import type { Photo } from './drawing/photo.ts';
import { Sheet } from './drawing/sheet.ts';
import { drawnText } from './drawing/text.ts';
import type { Reader, RenderFields, RenderSize, TemplateDefinition } from './drawing/types.ts';
import { parseRenderFields, parseRenderSize, undrawableProblems } from './fields.ts';
import { findTemplate, renderFileNames } from './registry.ts';

type DrawOptions = {
  /** Size id of the template, such as `1080x1350`. */
  size: string;
  brand?: Partial<Brand>;
  /** Bytes of each image, by what its field says; a `data:` field needs none. */
  images?: Readonly<Record<string, Uint8Array>>;
  /** Draw a still life for a missing image instead of refusing; for previews and examples. */
  placeholders?: boolean;
  /** Only this page (0-based); for a live preview of one slide. */
  page?: number;
  /** The account whose photographs they are: they are decoded in turn with the other pictures of this process. */
  owner?: string;
};

type DrawnFile = { name: string; bytes: Buffer; width: number; height: number };

function inlineBytes(value: string): Uint8Array | undefined {
  return value.startsWith('data:') ? Buffer.from(value.slice(value.indexOf(',') + 1), 'base64') : undefined;
}

async function photosOf(
  template: TemplateDefinition,
  fields: RenderFields,
  options: DrawOptions,
): Promise<Map<string, Photo>> {
  const photos = new Map<string, Photo>();
  for (const field of template.fields) {
    const value = fields[field.id];
    if (field.kind !== 'image' || typeof value !== 'string') continue;
    const bytes = inlineBytes(value) ?? options.images?.[value];
    if (bytes)
      photos.set(field.id, { bytes: await decodeInTurn(options.owner ?? '', () => decodePhoto(bytes)) });
    else if (!options.placeholders) throw new PhotoError(`no bytes were given for ${field.id}`);
  }
  return photos;
}

/** Longest name that stays legible on one line, beside other words. */
const MAX_NAME = 40;

/** A longer name ends after a whole word, and says that it goes on. */
function shortened(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const space = name.slice(0, MAX_NAME).lastIndexOf(' ');
  return `${name.slice(0, space > MAX_NAME / 2 ? space : MAX_NAME - 1)}…`;
}

function brandOf(brand: Partial<Brand> | undefined): Brand {
  const merged = { ...DEFAULT_BRAND, ...brand };
  const name = drawnText(merged.name);
  // A name is drawn on every page: what the fonts lack is left out rather than looked up on the network.
  const missing = new Set(undrawable(name));
  return {
    ...merged,
    name: shortened(
      [...name]
        .filter((character) => !missing.has(character))
        .join('')
        .replaceAll('\n', ' '),
    ),
  };
}

/** Lays out the pages without rasterising them; what `drawTemplate` draws, and what proofs measure. */
export function composePages(
  template: TemplateDefinition,
  fields: RenderFields,
  size: RenderSize,
  options: { brand?: Partial<Brand>; photos?: ReadonlyMap<string, Photo>; page?: number } = {},
): Sheet[] {
  const accent = typeof fields.accent === 'string' ? fields.accent : undefined;
  const palette = paletteOf(brandOf(options.brand), accent);
  const reader: Reader = {
    text: (id) => (typeof fields[id] === 'string' ? (fields[id] as string) : ''),
    list: (id) => (Array.isArray(fields[id]) ? fields[id] : []),
    photo: (id) => options.photos?.get(id),
  };
  const pages = template.pages(fields);
  return Array.from({ length: pages }, (_, page) => page)
    .filter((page) => options.page === undefined || page === options.page)
    .map((page) => {
      const sheet = new Sheet(size);
      template.draw({ sheet, palette, fields: reader, page, pages });
      return sheet;
    });
}

/**
 * Draws a template to PNG files, one per page. The same input gives the same bytes, in any process of this version; nothing
 * is read from the network. Throws `invalid` for bad fields, size or characters, `PhotoError` for an image that cannot be used.
 */
export async function drawTemplate(
  templateId: string,
  rawFields: unknown,
  options: DrawOptions,
): Promise<DrawnFile[]> {
  const template = findTemplate(templateId);
  const size = parseRenderSize(templateId, options.size);
  const fields = options.placeholders
    ? parseLeniently(templateId, rawFields)
    : parseRenderFields(templateId, rawFields);
  if (!template) throw new ServiceError('invalid', { detail: 'template' });
  const problems = undrawableProblems(template, fields);
  if (problems.length) throw new ServiceError('invalid', { detail: 'characters', problems });
  const photos = await photosOf(template, fields, options);
  const names = renderFileNames(template, fields, size);
  const sheets = composePages(template, fields, size, { brand: options.brand, photos, page: options.page });
  const files: DrawnFile[] = [];
  for (const [i, sheet] of sheets.entries()) {
    const { width, height } = size;
    const response = new ImageResponse(await sheet.element(placePhoto), {
      width,
      height,
      fonts: allDrawingFonts(),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    files.push({ name: names[options.page ?? i] as string, bytes, width, height });
  }
  return files;
}

/** With placeholders, a required image may be absent. */
function parseLeniently(templateId: string, rawFields: unknown): RenderFields {
  const images =
    findTemplate(templateId)?.fields.filter((field) => field.kind === 'image' && field.required) ?? [];
  if (typeof rawFields !== 'object' || rawFields === null) return parseRenderFields(templateId, rawFields);
  const filled: Record<string, unknown> = { ...rawFields };
  for (const { id } of images) filled[id] ||= 'references/placeholder';
  return parseRenderFields(templateId, filled);
}
