/**
 * Characters that a reader cannot see and a model can read: tags, bidirectional controls, zero-width and other default-ignorable
 * code points, control characters. They stay in the stored text and in exports; what is handed to prompts is without them.
 */
const SUSPECT = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?![\t\n\v\f\r\u0085])\p{Cc}/u;
const SUSPECTS = new RegExp(SUSPECT, 'gu');

const ZWNJ = 0x200c;
const ZWJ = 0x200d;
const TEXT_STYLE = 0xfe0e;
const EMOJI_STYLE = 0xfe0f;

const EMOJI = /\p{Emoji}/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
/** What a joiner of emoji may follow, when no style comes between: a pictograph or a skin tone. */
const JOINABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
/** Scripts whose spelling needs joiners: Persian, and those of India and its neighbours. */
const JOINED_SCRIPT =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether the suspect character at `at` does something that is seen: it joins emoji or letters, or gives an emoji its style. */
function isSeen(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== ZWNJ && code !== ZWJ && code !== TEXT_STYLE && code !== EMOJI_STYLE) return false;
  const before = characterBefore(text, at);
  if (code === TEXT_STYLE || code === EMOJI_STYLE) return EMOJI.test(before);
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  const joined = before.charCodeAt(0) === EMOJI_STYLE ? characterBefore(text, at - 1) : before;
  if (code === ZWJ && JOINABLE.test(joined) && PICTOGRAPH.test(after)) return true;
  return JOINED_SCRIPT.test(before) && (JOINED_SCRIPT.test(after) || code === ZWJ);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const unit = text.charCodeAt(at - 1);
  return text.slice(unit >= 0xdc00 && unit <= 0xdfff ? at - 2 : at - 1, at);
}

/** `text` as prompts receive it: without the characters that nobody sees. The same string when there is none. */
export function withoutInvisible(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(SUSPECTS, (character, at: number) => (isSeen(text, at) ? character : ''));
}

export type InvisibleKind = 'tag' | 'direction' | 'control' | 'zero-width';

type Invisible = {
  kind: InvisibleKind;
  /** `U+202E`. */
  code: string;
  /** Where it stands, in UTF-16 code units. */
  at: number;
};

/** Every character that prompts do not receive, in order, for whoever writes the text. */
export function findInvisible(text: string): Invisible[] {
  const found: Invisible[] = [];
  for (const { 0: character, index } of text.matchAll(SUSPECTS)) {
    if (isSeen(text, index)) continue;
    const point = character.codePointAt(0) as number;
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    found.push({ kind: kindOf(point), code, at: index });
  }
  return found;
}

function kindOf(code: number): InvisibleKind {
  if (code >= 0xe0000 && code <= 0xe0fff) return 'tag';
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x206f)) return 'direction';
  if (code === 0x200e || code === 0x200f || code === 0x061c) return 'direction';
  return code < 0xa0 ? 'control' : 'zero-width';
}
