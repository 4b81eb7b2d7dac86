const NBSP = '\u00a0';

/**
 * A field's text as it is drawn: composed accents, one kind of line break, French non-breaking spaces and
 * typographic apostrophes. Words are never changed; only what the eye would call a typing accident is.
 */
export function drawnText(text: string): string {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      .replace(/\t/g, ' ')
      // Marks of direction and joins come with what is pasted, are seen by nobody, and have no glyph.
      .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g, '')
      .replace(/[\u2000-\u2006\u2008\u2028\u2029\u205f\u3000]/g, ' ')
      .replace(/[\u2007\u2009\u200a\u202f]/g, NBSP)
      .replaceAll('\u2011', '-')
      .replaceAll('\u03bc', '\u00b5')
      .replace(/(?<=\p{L})'(?=\p{L})/gu, '’')
      .replace(/ +(?=[:;!?»%€])/g, NBSP)
      .replace(/« +/g, `«${NBSP}`)
      .replace(/(?<=\d) (?=\d{3}\b)/g, NBSP)
      .replace(/ *\n */g, '\n')
      .replace(/ {2,}/g, ' ')
      .trim()
  );
}

/** Capitals as French sets them: accents kept. A micro sign stays one: its capital is the letter Mu, which no unit has. */
export function upperCase(text: string): string {
  return text.replace(/[^\u00b5]+/g, (part) => part.toLocaleUpperCase('fr'));
}
