import type { Finding } from './copy-problem.ts';

/**
 * The em dash and its longer kin, always; an en dash only where it stands as punctuation (a space or an edge on one side), so
 * that « 2019–2024 » and « Paris–Lyon » pass; two or more hyphens standing for one; and what is drawn as a dash (a minus sign, a figure
 * dash, a line of a frame) in the same places, unless a number follows: « −5 degrés », « 10 − 5 ».
 */
const LONG_DASH =
  /[\u2014\u2015\u2e3a\u2e3b\ufe31\ufe58]|(?<=^|\s)\u2013|\u2013(?=\s|$)|(?<=^|\s)-{2,}(?=\s|$)|(?:(?<=^|\s)[\u2012\u2212\u2500\u2501\u23af\uff0d]|[\u2012\u2212\u2500\u2501\u23af\uff0d](?=\s|$))(?!\s?\p{N})/gmu;

/**
 * Whatever a phone draws in colour: every recommended emoji, every sign that is coloured by default or asks to be, the
 * symbols and dingbats of the emoji set, and stray halves of flags, keycaps and skin tones. Digits, ©, ®, ™, plain arrows and
 * signs such as ★ or ✓ are text, unless the emoji selector follows them. What is asked first is which signs can begin one: few can.
 */
const EMOJI =
  /(?=[\p{Emoji}\p{Extended_Pictographic}\u20e3])(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Emoji}\ufe0f|[\p{Emoji}&&[\u2600-\u27bf]]|[[\u{1f000}-\u{1faff}]&&\p{Extended_Pictographic}]|[\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u20e3])[\ufe0f\u200d\u20e3\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*/gv;

const LONG_DASH_MESSAGE = 'Pas de tiret long : mettez une virgule, deux-points, des parenthèses ou un point.';
const EMOJI_MESSAGE = 'Pas d’émoji : dites-le avec des mots.';

/** Long dashes of one text. */
export function findLongDashes(text: string): Finding[] {
  return [...text.matchAll(LONG_DASH)].map((match) => located('long-dash', match, LONG_DASH_MESSAGE));
}

/** Emoji of one text; a sequence (flag, family, keycap) is one finding. */
export function findEmoji(text: string): Finding[] {
  return [...text.matchAll(EMOJI)].map((match) => located('emoji', match, EMOJI_MESSAGE));
}

function located(rule: 'long-dash' | 'emoji', match: RegExpExecArray, message: string): Finding {
  return { rule, start: match.index, end: match.index + match[0].length, message };
}
