/** The content and selection of a text field, as offsets. */
export type Field = { text: string; start: number; end: number };

/** Replaces the text from `from` to `to` by `insert`, then selects from `start` to `end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

export type Shortcut = 'bold' | 'italic' | 'link' | 'heading' | 'bullets' | 'numbers' | 'quote';

const MARKS = { bold: '**', italic: '*' } as const;

/** Adds a mark around the selection, or removes it if it is there, just outside or inside the selection. */
function toggleMark({ text, start, end }: Field, mark: string): Edit {
  // Spaces at the ends stay outside: « ** mot** » is not bold in Markdown.
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

/** Whether `mark` surrounds the selection. `*` does not match `**`; `***` matches both. */
function isMarked(before: string, after: string, mark: string): boolean {
  const stars = Math.min(/\**$/.exec(before)?.[0].length ?? 0, /^\**/.exec(after)?.[0].length ?? 0);
  return mark.length === 2 ? stars >= 2 : stars === 1 || stars >= 3;
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/;

/** Turns the selection into a link, and puts the caret where the missing part is typed: the address, or the text of a selected address. */
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

/**
 * Adds the prefix of `kind` to the selected lines, empty ones excepted, and removes it if every line has it. It replaces the other prefixes,
 * except that a quotation keeps them.
 */
function toggleLines({ text, start, end }: Field, kind: Prefix): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', Math.max(start, end - 1));
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const indented = lines.map((line) => /^(\s*)(.*)$/s.exec(line) as unknown as [string, string, string]);
  // An empty line between others has no prefix to lose: it decides only where there is nothing else.
  const filled = indented.filter(([, , words]) => words !== '');
  const has = filled.length > 0 && filled.every(([, , words]) => PREFIXES[kind].test(words));
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

/** The edit of a shortcut or a toolbar button. */
export function editFor(shortcut: Shortcut, field: Field): Edit {
  if (shortcut === 'bold' || shortcut === 'italic') return toggleMark(field, MARKS[shortcut]);
  return shortcut === 'link' ? link(field) : toggleLines(field, shortcut);
}

const ITEM = /^(\s*)((?:[-*+]|(\d{1,9})([.)]))( \[[ xX]\])?|>) (.*)$/;

/**
 * The edit of Enter in a list item or a quotation: a new line with the same mark, the next number or an unticked box. In an empty item, it
 * removes the mark. Null outside of these, and before the item's text.
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
