import type { FieldDefinition } from '#lib/studio/templates/drawing/types.ts';

/**
 * The places of a list's items that leave: those that hold something. A list that needs more keeps as many empty ones as it lacks, so that
 * each is asked for where it stands.
 */
export function sentPlaces(field: FieldDefinition, items: readonly Record<string, string>[]): number[] {
  const holds = items.map((item) => Object.values(item).some((part) => part.trim()));
  let lacks = (field.required ? (field.minItems ?? 1) : 0) - holds.filter(Boolean).length;
  return [...items.keys()].filter((at) => holds[at] || lacks-- > 0);
}
