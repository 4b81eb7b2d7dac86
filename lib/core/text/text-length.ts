/**
 * For `schema.refine(...atMostUnits(200))`: a length in UTF-16 code units (`String.length`), as every documented length is.
 * Zod's own `max` counts code points, so that 200 emoji would pass as 200.
 */
export function atMostUnits(
  max: number,
  sentence = `Il faut au plus ${max} caractères.`,
): [(text: string) => boolean, string] {
  return [(text) => text.length <= max, sentence];
}
