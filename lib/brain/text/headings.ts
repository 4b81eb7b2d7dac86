export type Heading = {
  level: number;
  /** Its text, without Markdown marks. */
  text: string;
  /** Whether `text` says all of its line: a very long one is cut. */
  isWhole: boolean;
  /** Where its line starts, and where the text after it starts. */
  start: number;
  end: number;
};

const ATX = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** Longer headings are cut here: a title has 200 characters, and the patterns below stay cheap on hostile lines. */
const MAX_HEADING = 300;
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

/** The `#` headings of a Markdown text, those inside code blocks left out. */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  for (const { line, start, end, code } of linesOf(text)) {
    if (code || !line.includes('#')) continue;
    const found = ATX.exec(line);
    if (!found?.[1]) continue;
    const said = line.slice(found[0].length).trim();
    const isWhole = said.length <= MAX_HEADING;
    headings.push({ level: found[1].length, text: plain(said), isWhole, start, end });
  }
  return headings;
}

/** A heading's text as a title: links, emphasis, code marks and explicit anchors removed. */
function plain(text: string): string {
  return text
    .slice(0, MAX_HEADING)
    .replace(/(^|\s)#+$/, '')
    .replace(/\s*\{#[^}]*\}\s*$/, '')
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/g, '$1')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim();
}
