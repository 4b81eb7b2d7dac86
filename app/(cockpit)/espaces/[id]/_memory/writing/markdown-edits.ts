/** A text field: what is in it and what is selected. */
export type Field = { text: string; start: number; end: number };

/** What to write over the text between `from` and `to`, and what is selected then. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

export type Shortcut = 'bold' | 'italic' | 'link' | 'heading' | 'bullets' | 'numbers' | 'quote';

const MARKS = { bold: '**', italic: '*' } as const;

/** The same mark once more takes it away: around the selection, or at its two ends. */
function toggleMark({ text, start, end }: Field, mark: string): Edit {
  // Spaces at the ends stay outside: « ** mot** » is not bold.
  const inner = text.slice(start, end);
  const from = start + (inner.length - inner.trimStart().length);
  const to = Math.max(from, end - (inner.length - inner.trimEnd().length));
  const word = text.slice(from, to);
  const [before, after] = [text.slice(0, from), text.slice(to)];
  if (isMarked(before, after, mark)) {
    const at = from - mark.length;
    return { from: at, to: to + mark.length, insert: word, start: at, end: at + word.length };
  }
  if (
    word.length >= 2 * mark.length &&
    isMarked(word.slice(0, mark.length), word.slice(-mark.length), mark)
  ) {
    const bare = word.slice(mark.length, -mark.length);
    return { from, to, insert: bare, start: from, end: from + bare.length };
  }
  const at = from + mark.length;
  return { from, to, insert: mark + word + mark, start: at, end: at + word.length };
}

/** Whether one text ends and the other begins with this mark: one star is not two, three are both. */
function isMarked(before: string, after: string, mark: string): boolean {
  const stars = Math.min(/\**$/.exec(before)?.[0].length ?? 0, /^\**/.exec(after)?.[0].length ?? 0);
  return mark.length === 2 ? stars >= 2 : stars === 1 || stars >= 3;
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/;

/** A link around the selection, with its address to type; around an address, with its words to type. */
function link({ text, start, end }: Field): Edit {
  const word = text.slice(start, end);
  if (ADDRESS.test(word)) {
    const insert = `[](${word})`;
    return { from: start, to: end, insert, start: start + 1, end: start + 1 };
  }
  const at = start + word.length + 3;
  return { from: start, to: end, insert: `[${word}]()`, start: at, end: at };
}

const PREFIXES = { heading: /^#{1,6} /, bullets: /^[-*+] /, numbers: /^\d{1,9}[.)] /, quote: /^> / } as const;
type Prefix = keyof typeof PREFIXES;

const prefixOf = (kind: Prefix, at: number) =>
  ({ heading: '## ', bullets: '- ', numbers: `${at + 1}. `, quote: '> ' })[kind];

/** Every line of the selection gets what begins such a line, in place of another; where all have it, all lose it. */
function toggleLines({ text, start, end }: Field, kind: Prefix): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const indented = lines.map((line) => /^(\s*)(.*)$/s.exec(line) as unknown as [string, string, string]);
  const has = indented.every(([, , words]) => PREFIXES[kind].test(words));
  let number = 0;
  const insert = indented
    .map(([line, indent, words]) => {
      if (has) return indent + words.replace(PREFIXES[kind], '');
      if (words === '' && lines.length > 1) return line;
      const bare =
        kind === 'quote'
          ? words
          : Object.values(PREFIXES).reduce((left, one) => left.replace(one, ''), words);
      const begun = indent + prefixOf(kind, number) + bare;
      number += 1;
      return begun;
    })
    .join('\n');
  const isCaret = start === end;
  const caret = Math.max(from, start + insert.length - (to - from));
  return { from, to, insert, start: isCaret ? caret : from, end: isCaret ? caret : from + insert.length };
}

/** What a shortcut or a button of the bar writes. */
export function editFor(shortcut: Shortcut, field: Field): Edit {
  if (shortcut === 'bold' || shortcut === 'italic') return toggleMark(field, MARKS[shortcut]);
  return shortcut === 'link' ? link(field) : toggleLines(field, shortcut);
}

const ITEM = /^(\s*)((?:[-*+]|(\d{1,9})([.)]))( \[[ xX]\])?|>) (.*)$/;

/**
 * What « Entrée » writes at the end of an item or within it: the next one, a number counted on, a box unticked. In an empty item it ends the
 * list. Null where it is an ordinary line.
 */
export function editForEnter({ text, start, end }: Field): Edit | null {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', start);
  const line = text.slice(from, next === -1 ? text.length : next);
  const item = ITEM.exec(line);
  if (!item) return null;
  const [, indent = '', mark = '', number, dot = '', box = '', words = ''] = item;
  const begun = indent.length + mark.length + 1;
  if (start - from < begun) return null;
  if (words.trim() === '' && start === end)
    return { from, to: from + line.length, insert: '', start: from, end: from };
  const bare = number === undefined ? mark.slice(0, mark.length - box.length) : `${Number(number) + 1}${dot}`;
  const insert = `\n${indent}${bare}${box ? ' [ ]' : ''} `;
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length };
}
