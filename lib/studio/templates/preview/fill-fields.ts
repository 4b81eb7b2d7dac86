import type { FieldDefinition, TemplateDefinition } from '../drawing/types.ts';

type Filled = {
  /** What is drawn: what was typed, and the template's example where something required is still missing. */
  fields: Record<string, unknown>;
  /** Fields that show the example, and those whose image is a placeholder. */
  examples: string[];
  /** Required fields that a render would still ask for. */
  missing: string[];
  /** For each list, where its items stand in what was typed: the empty ones are not drawn, and are filled in first. */
  places: Record<string, number[]>;
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
  const places: Record<string, number[]> = {};
  const untouched = template.fields.every(
    (field) => field.kind === 'colour' || !hasText(field, given[field.id]),
  );
  // What the template does not know is kept: the check names it.
  for (const [id, value] of Object.entries(given)) if (!known.has(id)) fields[id] = value;
  for (const field of template.fields) {
    const value = given[field.id];
    if (field.kind === 'list') {
      fillList(field, value, untouched, { fields, examples, missing, places });
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
  return { fields, examples, missing, places };
}

/** The name of a field (`slides[1].title`) as the form has it, from the one of what is drawn. */
export function nameInForm(name: string, places: Filled['places']): string {
  return name.replace(/^([^[\]]+)\[(\d+)\]/, (whole, id: string, at: string) => {
    const place = places[id]?.[Number(at)];
    return place === undefined ? whole : `${id}[${place}]`;
  });
}

function hasText(field: FieldDefinition, value: unknown): boolean {
  if (field.kind !== 'list') return !isEmpty(value);
  return (
    Array.isArray(value) && value.some((item) => Object.values(item ?? {}).some((part) => !isEmpty(part)))
  );
}

function fillList(field: FieldDefinition, value: unknown, untouched: boolean, into: Filled): void {
  const typed: unknown[] = Array.isArray(value) ? value : [];
  const holds = typed.map((item) => Object.values(item ?? {}).some((part) => !isEmpty(part)));
  const items = typed.filter((_, place) => holds[place]);
  const order = [...typed.keys()];
  into.places[field.id] = [
    ...order.filter((place) => holds[place]),
    ...order.filter((place) => !holds[place]),
  ];
  const least = field.required ? (field.minItems ?? 1) : 0;
  const example = Array.isArray(field.example) ? (field.example as Record<string, string>[]) : [];
  if (items.length === 0 && (field.required || untouched)) {
    if (field.required) into.missing.push(field.id);
    into.fields[field.id] = example.map((item) => ({ ...item }));
    into.examples.push(field.id);
    return;
  }
  // An item that was added and left empty is not sent: it lacks in a list that needs more alone.
  if (items.length === 0) return;
  const filled = items.map((item, index) => fillItem(field, item as Record<string, unknown>, index, into));
  for (let index = filled.length; index < least; index += 1) {
    into.missing.push(`${field.id}[${index}]`);
    into.examples.push(`${field.id}[${index}]`);
    filled.push({ ...(example[index % Math.max(1, example.length)] ?? {}) });
  }
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
