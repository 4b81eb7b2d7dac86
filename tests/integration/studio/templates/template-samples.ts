import type {
  FieldDefinition,
  RenderFields,
  TemplateDefinition,
} from '#lib/studio/templates/drawing/types.ts';

const WORDS =
  'Chaque matin nous reprenons le même geste avec la même patience parce qu’une belle chose se fait lentement et que vos clients le sentent dès qu’ils ouvrent la boîte à l’atelier'.split(
    ' ',
  );

/** Ordinary French of exactly `length` characters. */
export function prose(length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++) text += `${text ? ' ' : ''}${WORDS[i % WORDS.length]}`;
  const cut = text.slice(0, length);
  return cut.endsWith(' ') ? `${cut.slice(0, -1)}s` : cut;
}

type Filler = (length: number, field: FieldDefinition) => string;

function fill(fields: readonly FieldDefinition[], write: Filler, everything: boolean): RenderFields {
  const filled: RenderFields = {};
  for (const field of fields) {
    if (field.kind === 'image' || field.kind === 'colour' || (!everything && !field.required)) continue;
    if (field.kind === 'list') {
      const count = everything ? (field.maxLength ?? 1) : (field.minItems ?? 1);
      const item = () => fill(field.item ?? [], write, everything) as Record<string, string>;
      filled[field.id] = Array.from({ length: count }, item);
    } else filled[field.id] = write(field.maxLength ?? 200, field);
  }
  return filled;
}

/** Every field at its longest: in prose, and as one wide word without a space. */
export const longestFields = (template: TemplateDefinition) => fill(template.fields, prose, true);
export const widestFields = (template: TemplateDefinition) =>
  fill(template.fields, (n) => 'W'.repeat(n), true);
/** Every field at its longest, a letter a line where lines may be broken. */
export const brokenFields = (template: TemplateDefinition) =>
  fill(template.fields, (n, { kind }) => (kind === 'longText' ? 'o\n'.repeat(n / 2).trim() : prose(n)), true);
/** Required fields alone, one short word each. */
export const shortestFields = (template: TemplateDefinition) => fill(template.fields, () => 'Oui', false);
