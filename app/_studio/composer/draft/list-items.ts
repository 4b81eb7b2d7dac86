import type { FieldDefinition } from '#lib/studio/templates/drawing/types.ts';

/**
 * The indexes of a list's items to send: those that are not empty. If the list needs more items, as many empty ones are sent as are missing, so that
 * each is refused at its own place.
 */
export function sentPlaces(field: FieldDefinition, items: readonly Record<string, string>[]): number[] {
  const holds = items.map((item) => Object.values(item).some((part) => part.trim()));
  let lacks = (field.required ? (field.minItems ?? 1) : 0) - holds.filter(Boolean).length;
  return [...items.keys()].filter((at) => holds[at] || lacks-- > 0);
}
