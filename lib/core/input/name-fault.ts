import { isBlank } from '../text/blank.ts';
import { findInvisible } from '../text/invisible.ts';
import { isStorable } from './storable-text.ts';

const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/u;
/**
 * What names need of what is not seen by itself: the flags of England, Scotland and Wales, variants of Han and Mongolian letters, the word
 * boundaries of scripts without spaces, and the soft hyphen, which shows where a line ends.
 */
const NEEDED =
  /\p{RGI_Emoji_Tag_Sequence}|(?<=\p{Script=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180f]|(?<=[\p{Script=Khmer}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}])\u200b|\u00ad/gv;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g;

/**
 * The fault of a name that somebody gives, in French; null when it has none: 1 to `max` UTF-16 code units without the spaces around, something
 * of which is seen, on one line, and read as it is stored. A change of direction or a hidden character would make one name pass for another.
 * `length` says the first of these rules where « nom » is not the word.
 */
export function nameFault(
  name: string,
  max: number,
  length = `Le nom compte de 1 à ${max} caractères.`,
): string | null {
  const text = name.trim();
  if (isBlank(text) || text.length > max || !isStorable(text)) return length;
  if (LINE_BREAK.test(text)) return 'Un nom tient sur une ligne.';
  const hidden = hiddenIn(text);
  return hidden === null
    ? null
    : `Un nom ne contient aucun caractère invisible, comme ici ${hidden}\u00a0: effacez-le, ou tapez le nom de nouveau.`;
}

/** `U+202E`: the first character that changes what is read, or that nobody sees. */
function hiddenIn(text: string): string | null {
  if (text.includes('\t')) return 'U+0009';
  const rest = text.replace(NEEDED, '');
  return findInvisible(RIGHT_TO_LEFT.test(rest) ? rest.replace(DIRECTION_MARKS, '') : rest)[0]?.code ?? null;
}
