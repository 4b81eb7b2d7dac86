/**
 * For `schema.refine(...atMostUnits(200))`: a length in UTF-16 code units (`String.length`), as every documented length is, and as a form counts
 * what is typed. Zod's own `max` counts code points, so that 200 emoji would pass as 200; where a document tells it too (`max(200, { abort: true })`), it comes before.
 */
export function atMostUnits(
  max: number,
  sentence = `Il faut au plus ${max.toLocaleString('fr-FR')} caractères.`,
): [(text: string) => boolean, string] {
  return [(text) => text.length <= max, sentence];
}
