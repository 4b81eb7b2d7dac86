import { z } from 'zod';
import { shorten } from '#lib/brain/text/cut.ts';
import { type Problem, ServiceError } from '#lib/core/errors.ts';
import { plural } from '#lib/core/text/plural.ts';
import { undrawable } from './drawing/fonts.ts';
import { HEX_COLOUR } from './drawing/palette.ts';
import { drawnText, upperCase } from './drawing/text.ts';
import type { FieldDefinition, RenderFields, RenderSize, TemplateDefinition } from './drawing/types.ts';
import { findSize, findTemplate } from './registry.ts';

const MAX_REFERENCE = 2048;
/** An image given inline: 8 MB of bytes as base64, with room for the head. */
const MAX_INLINE = Math.ceil((8 * 1024 * 1024 * 4) / 3) + 64;

const INLINE_IMAGE = /^data:image\/(?:png|jpeg|webp|gif|avif);base64,[a-z0-9+/]+={0,2}$/i;
/** A file of ours by its identifier or pathname, or an https address; what it may point at is the caller's to check. */
const IMAGE_REFERENCE =
  /^(?:https:\/\/[^\s]+|(?:ast|upl|ava)_[0-9a-z]{26}|gen_[0-9a-z]{26}#\d{1,2}|(?:references|products|libre|generations|avatars)\/[^\s\\%]+)$/;

function textSchema(field: FieldDefinition) {
  const most = field.maxLength ?? 200;
  const text = z
    .string({
      error: (issue) =>
        issue.input === undefined
          ? `« ${field.label} » est à remplir.`
          : `« ${field.label} » doit être un texte.`,
    })
    // A text of invisible characters alone would be drawn as nothing, and paid.
    .transform((value) => (drawnText(value) === '' ? '' : value.trim()))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), {
      error: `« ${field.label} » contient un caractère de commande invisible.`,
    })
    .refine((value) => field.kind === 'longText' || !/[\r\n]/.test(value), {
      error: `« ${field.label} » tient sur une seule ligne.`,
    })
    .refine((value) => value.length <= most, { error: `« ${field.label} » dépasse ${most} caractères.` });
  return field.required
    ? text.refine((value) => value !== '', { error: `« ${field.label} » est à remplir.` })
    : text;
}

function imageSchema(field: FieldDefinition) {
  const image = z
    .string({
      error: (issue) =>
        issue.input === undefined
          ? `« ${field.label} » : choisissez une image.`
          : `« ${field.label} » n’est pas une image.`,
    })
    .refine(
      (value) =>
        (value === '' && !field.required) ||
        (value.startsWith('data:')
          ? value.length <= MAX_INLINE && INLINE_IMAGE.test(value)
          : value.length <= MAX_REFERENCE &&
            IMAGE_REFERENCE.test(value) &&
            !/(?:^|\/)\.{1,2}(?:\/|$)/.test(value)),
      { error: `« ${field.label} » n’est pas une image utilisable.` },
    );
  return image;
}

function colourSchema(field: FieldDefinition) {
  return z
    .string({ error: `« ${field.label} » doit être une couleur comme #2f4bd8.` })
    .transform((value) => value.trim().toLowerCase())
    .refine((value) => value === '' || HEX_COLOUR.test(value), {
      error: `« ${field.label} » doit être une couleur comme #2f4bd8.`,
    });
}

function objectSchema(fields: readonly FieldDefinition[]) {
  const shape: Record<string, z.ZodType> = {};
  for (const field of fields) {
    const schema = fieldSchema(field);
    shape[field.id] = field.required ? schema : schema.optional();
  }
  return z.strictObject(shape, { error: 'Un objet de champs nommés est attendu.' });
}

function fieldSchema(field: FieldDefinition): z.ZodType {
  if (field.kind === 'image') return imageSchema(field);
  if (field.kind === 'colour') return colourSchema(field);
  if (field.kind !== 'list') return textSchema(field);
  const least = field.required ? (field.minItems ?? 1) : 0;
  const most = field.maxLength ?? 10;
  return z
    .array(objectSchema(field.item ?? []), { error: `« ${field.label} » doit être une liste.` })
    .min(least, { error: `« ${field.label} » demande au moins ${least} ${plural(least, 'élément')}.` })
    .max(most, { error: `« ${field.label} » accepte au plus ${most} éléments.` });
}

/** `['slides', 1, 'title']` as `slides[1].title`. */
function pathName(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`))
    .join('');
}

function problemsOf(error: z.ZodError): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const issue of error.issues) {
    const fields =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of fields) {
      const field = pathName(path) || 'fields';
      if (seen.has(field)) continue;
      seen.add(field);
      const message =
        issue.code === 'unrecognized_keys' ? `Ce gabarit n’a pas de champ « ${field} ».` : issue.message;
      problems.push({ field, message });
    }
  }
  return problems;
}

function templateOf(templateId: string): TemplateDefinition {
  const template = findTemplate(templateId);
  if (template) return template;
  const problems = [
    { field: 'template', message: `Aucun gabarit ne s’appelle « ${templateId.slice(0, 60)} ».` },
  ];
  throw new ServiceError('invalid', { detail: 'template', problems });
}

function withoutEmpty(value: Record<string, unknown>): RenderFields {
  const kept: RenderFields = {};
  for (const [id, entry] of Object.entries(value)) {
    if (Array.isArray(entry)) {
      if (entry.length) kept[id] = entry.map((item) => withoutEmpty(item) as Record<string, string>);
    } else if (typeof entry === 'string' && entry !== '') kept[id] = entry;
  }
  return kept;
}

/**
 * The fields of one template, trimmed, empty optional ones dropped. Throws `invalid` with `detail: 'fields'` and a French
 * problem per field (`slides[1].title`); unknown fields are refused by name, an unknown template with `detail: 'template'`.
 */
export function parseRenderFields(templateId: string, fields: unknown): RenderFields {
  const template = templateOf(templateId);
  const parsed = objectSchema(template.fields).safeParse(fields);
  if (parsed.success) return withoutEmpty(parsed.data);
  throw new ServiceError('invalid', { detail: 'fields', problems: problemsOf(parsed.error) });
}

/** The size of this id; throws `invalid` with `detail: 'size'` naming those that the template offers. */
export function parseRenderSize(templateId: string, sizeId: unknown): RenderSize {
  const template = templateOf(templateId);
  const size = typeof sizeId === 'string' ? findSize(template, sizeId) : undefined;
  if (size) return size;
  const offered = template.sizes.map(({ id }) => id).join(', ');
  const problems = [{ field: 'size', message: `Ce gabarit existe en ${offered}.` }];
  throw new ServiceError('invalid', { detail: 'size', problems });
}

type NamedText = { field: string; label: string; text: string };

/** Every text of the fields with its name, for rules about wording. */
export function textsOf(template: TemplateDefinition, fields: RenderFields): NamedText[] {
  const texts: NamedText[] = [];
  const isText = (field: FieldDefinition) => field.kind === 'text' || field.kind === 'longText';
  for (const field of template.fields) {
    const value = fields[field.id];
    if (typeof value === 'string' && isText(field))
      texts.push({ field: field.id, label: field.label, text: value });
    if (!Array.isArray(value)) continue;
    value.forEach((item, i) => {
      for (const part of field.item ?? []) {
        const text = item[part.id];
        if (text && isText(part))
          texts.push({ field: `${field.id}[${i}].${part.id}`, label: part.label, text });
      }
    });
  }
  return texts;
}

const MAX_BRIEF = 300;

/** What a row says of a render's request: the template and its texts, in at most 300 UTF-16 units, cut within no character. */
export function renderBrief(template: TemplateDefinition, fields: RenderFields): string {
  const texts = textsOf(template, fields).map(({ text }) => text);
  return shorten(`${template.name}\u00a0: ${texts.join(' · ')}`, MAX_BRIEF);
}

/** The text that was typed in a field, by its name (`title`, `slides[1].title`); empty when there is none. */
function typedText(fields: unknown, name: string): string {
  const [, id = '', at, part = ''] = /^([^[\]]+)(?:\[(\d+)\]\.(.+))?$/.exec(name) ?? [];
  const value = (fields as Record<string, unknown> | null | undefined)?.[id];
  const items = Array.isArray(value) ? (value as (Record<string, unknown> | null)[]) : [];
  const text = at === undefined ? value : items[Number(at)]?.[part];
  return typeof text === 'string' ? text : '';
}

/** A problem found in checked fields, which are trimmed, at its place in what was typed. */
export function placedAsTyped<T extends { field: string; start: number; end: number }>(
  fields: unknown,
  problem: T,
): T {
  const text = typedText(fields, problem.field);
  const trimmed = text.length - text.trimStart().length;
  return { ...problem, start: problem.start + trimmed, end: problem.end + trimmed };
}

/**
 * Problems for characters the brand fonts cannot draw. Apart from `parseRenderFields`, so that a caller may judge the
 * wording (an emoji is a copy problem) before the glyphs.
 */
export function undrawableProblems(template: TemplateDefinition, fields: RenderFields): Problem[] {
  return textsOf(template, fields).flatMap(({ field, label, text }) => {
    const missing = undrawable(drawnText(text) + upperCase(drawnText(text)));
    if (missing.length === 0) return [];
    const shown = missing.slice(0, 5).join(' ');
    return [
      { field, message: `« ${label} » contient un caractère que la police ne sait pas dessiner : ${shown}` },
    ];
  });
}
