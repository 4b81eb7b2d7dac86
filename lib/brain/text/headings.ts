export type Heading = {
  level: number;
  /** Its text, without Markdown marks. */
  text: string;
  /** Whether `text` says all of its line: a very long one is cut, and the address of a link is left out. */
  isWhole: boolean;
  /** Where its line starts, and where the text after it starts. */
  start: number;
  end: number;
};

const ATX = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** Longer headings are cut here: a title has 200 characters, and the patterns below stay cheap on hostile lines. */
const MAX_HEADING = 300;
/** What is drawn under a heading: three marks at least, for two hyphens open a signature. */
const UNDERLINE = /^ {0,3}(={3,}|-{3,})[ \t]*$/;
/** A line that is no paragraph by itself: code, a quotation, a row of a table, an item of a list, an element. */
const NO_PARAGRAPH = /^(?: {4}| {0,3}(?:\t|[>|<]|[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
/** A link that leads out of the text; a picture is none. */
const LINK = /(?<!!)\[[^\][]*\]\((?!#)[^)[\s]/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Lines of `text` with their offsets, and whether each lies inside a fenced code block (the fences included). */
export function* linesOf(
  text: string,
): Generator<{ line: string; start: number; end: number; code: boolean }> {
  let fence: string | null = null;
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    const line = text.slice(start, feed === -1 ? end : feed).replace(/\r$/, '');
    const mark = FENCE.exec(line);
    let code = fence !== null;
    if (mark?.[1]) {
      if (fence === null) {
        // A line such as ```a``` is inline code, not an opening fence.
        if (!mark[1].startsWith('`') || !mark[2]?.includes('`')) {
          fence = mark[1];
          code = true;
        }
      } else if (mark[1].startsWith(fence) && mark[2]?.trim() === '') fence = null;
    }
    yield { line, start, end, code };
    start = end;
  }
}

/**
 * The headings of a Markdown text, those inside code blocks left out: lines that begin with `#`, and a paragraph of one line with `===` or `---` under it.
 */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  const add = (level: number, said: string, start: number, end: number) => {
    const isWhole = said.length <= MAX_HEADING && !LINK.test(said);
    headings.push({ level, text: plain(said), isWhole, start, end });
  };
  /** The line above, when it begins a paragraph. */
  let above: { line: string; start: number } | null = null;
  /** Whether this line goes on with what the one above says. */
  let goesOn = false;
  for (const { line, start, end, code } of linesOf(text)) {
    const atx = code ? null : ATX.exec(line);
    const underline = code ? null : UNDERLINE.exec(line);
    if (atx?.[1]) add(atx[1].length, line.slice(atx[0].length).trim(), start, end);
    else if (underline?.[1] && above)
      add(underline[1].startsWith('=') ? 1 : 2, above.line.trim(), above.start, end);
    const isText = !code && !atx && !underline && SAYS_SOMETHING.test(line);
    above = isText && !goesOn && !NO_PARAGRAPH.test(line) ? { line, start } : null;
    goesOn = isText;
  }
  return headings;
}

/** The text of a link without its address; the rest as it is. */
export function withoutAddresses(text: string): string {
  return text.replace(/!?\[([^\][]*)\]\([^)[]*\)/g, '$1');
}

/** A heading's text as a title: links, emphasis, code marks and explicit anchors removed. */
function plain(text: string): string {
  const words = text
    .slice(0, MAX_HEADING)
    .replace(/(^|\s)#+$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '');
  return withoutAddresses(words)
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
