import type { FieldDefinition, TemplateDefinition } from '../drawing/types.ts';

export type Filled = {
  /** What is drawn: what was typed, and the template's example where something required is still missing. */
  fields: Record<string, unknown>;
  /** Fields that show the example, and those whose image is a placeholder. */
  examples: string[];
  /** Required fields that a render would still ask for. */
  missing: string[];
};

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (typeof value === 'string' && value.trim() === '');

/**
 * What a preview draws while the form is being filled in. Nothing typed at all: the whole example. Otherwise optional empty fields
 * stay out, and a required one that is empty shows its example; an image shows a placeholder. Pure; the input is not checked here.
 */
export function fillFields(template: TemplateDefinition, typed: unknown): Filled {
  const given = typed !== null && typeof typed === 'object' ? (typed as Record<string, unknown>) : {};
  const known = new Map(template.fields.map((field) => [field.id, field]));
  const fields: Record<string, unknown> = {};
  const examples: string[] = [];
  const missing: string[] = [];
  const untouched = template.fields.every(
    (field) => field.kind === 'colour' || !hasText(field, given[field.id]),
  );
  // What the template does not know is kept: the check names it.
  for (const [id, value] of Object.entries(given)) if (!known.has(id)) fields[id] = value;
  for (const field of template.fields) {
    const value = given[field.id];
    if (field.kind === 'list') {
      fillList(field, value, untouched, { fields, examples, missing });
    } else if (!isEmpty(value)) {
      fields[field.id] = value;
    } else {
      if (field.required) missing.push(field.id);
      const example = field.kind === 'image' ? undefined : field.example;
      if (typeof example === 'string' && (field.required || untouched)) {
        fields[field.id] = example;
        examples.push(field.id);
      } else if (field.kind === 'image' && (field.required || untouched)) examples.push(field.id);
    }
  }
  return { fields, examples, missing };
}

function hasText(field: FieldDefinition, value: unknown): boolean {
  if (field.kind !== 'list') return !isEmpty(value);
  return (
    Array.isArray(value) && value.some((item) => Object.values(item ?? {}).some((part) => !isEmpty(part)))
  );
}

function fillList(field: FieldDefinition, value: unknown, untouched: boolean, into: Filled): void {
  const items = Array.isArray(value)
    ? value.filter((item) => Object.values(item ?? {}).some((part) => !isEmpty(part)))
    : [];
  const least = field.required ? (field.minItems ?? 1) : 0;
  const example = Array.isArray(field.example) ? (field.example as Record<string, string>[]) : [];
  if (items.length === 0 && (field.required || untouched)) {
    if (field.required) into.missing.push(field.id);
    into.fields[field.id] = example.map((item) => ({ ...item }));
    into.examples.push(field.id);
    return;
  }
  if (items.length === 0) return;
  const filled = items.map((item, index) => fillItem(field, item as Record<string, unknown>, index, into));
  for (let index = filled.length; index < least; index += 1) {
    into.missing.push(`${field.id}[${index}]`);
    filled.push({ ...(example[index % Math.max(1, example.length)] ?? {}) });
  }
  if (filled.length > items.length) into.examples.push(field.id);
  into.fields[field.id] = filled;
}

function fillItem(
  field: FieldDefinition,
  item: Record<string, unknown>,
  index: number,
  into: Filled,
): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  const example = Array.isArray(field.example) ? (field.example as Record<string, string>[]) : [];
  for (const [id, value] of Object.entries(item)) if (!isEmpty(value)) filled[id] = value;
  for (const part of field.item ?? []) {
    if (!part.required || filled[part.id] !== undefined) continue;
    into.missing.push(`${field.id}[${index}].${part.id}`);
    filled[part.id] = example[index % Math.max(1, example.length)]?.[part.id] ?? part.label;
    into.examples.push(`${field.id}[${index}].${part.id}`);
  }
  return filled;
}
