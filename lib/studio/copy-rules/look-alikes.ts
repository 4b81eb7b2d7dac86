/** Letters of Greek and Cyrillic, and the Latin ones that they are drawn as, pair by pair. */
const PAIRS =
  'АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXԌGԚQԜWҮY' +
  'аaеeоoрpсcуyхxѕsіiјjһhԁdԛqԝwӏlвbкkмmнhтtгrпnиu' +
  'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX' +
  'αaεeιiκkνvοoρpυuχxγyηnτt';

const LATIN = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, pair) => [
    PAIRS[2 * pair] as string,
    PAIRS[2 * pair + 1] as string,
  ]),
);

/** The Latin letter that this one is drawn as, in its own case; any other sign as it is. */
export function latinLookAlike(sign: string): string {
  return LATIN.get(sign) ?? sign;
}
