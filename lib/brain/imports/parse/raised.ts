const mapped = (signs: string, to: string): ReadonlyMap<string, string> =>
  new Map([...signs].map((sign, at): [string, string] => [sign, to[at] ?? sign]));

const RAISED = mapped('0123456789+-−n', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ');
const LOWERED = mapped('0123456789+-−', '₀₁₂₃₄₅₆₇₈₉₊₋₋');
/** Longer than this it is no exponent. */
const MAX_SIGNS = 12;

/** A raised or lowered number as plain text can write it: « 10³ » is not « 103 ». Other texts (« 1er », « Mme ») stay as they are. */
export function inPlainText(text: string, place: 'raised' | 'lowered'): string {
  const signs = place === 'raised' ? RAISED : LOWERED;
  const said = text.trim();
  if (said === '' || said.length > MAX_SIGNS || [...said].some((sign) => !signs.has(sign))) return text;
  return text.replace(/\S/g, (sign) => signs.get(sign) ?? sign);
}
