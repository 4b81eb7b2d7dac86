import { inPlainText } from './raised.ts';
import { trimLines, wholeWords } from './text.ts';

/** Elements whose text is no text of the page. */
const SKIPPED = new Set(
  'script style noscript template button input select textarea svg canvas iframe object embed head title link meta'.split(
    ' ',
  ),
);
/** Elements that say nothing of a page's main text. */
const DECORATION = new Set('nav header footer aside form dialog menu'.split(' '));
const BLOCKS = new Set(
  'p div section article main figure figcaption address details summary dl dt dd ul ol table caption blockquote pre h1 h2 h3 h4 h5 h6 hr li tr header footer aside nav form fieldset legend hgroup center dialog menu search html body'.split(
    ' ',
  ),
);
const MARKS = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['code', '`'],
  ['kbd', '`'],
]);
/** What is nested deeper than this is written as text alone. */
const MAX_DEPTH = 400;

const ELEMENT = 1;
const TEXT = 3;

/** Text of everything below, in order, its lines apart; iterative, for a page may be nested without end. */
export function rawText(root: Node | null, skips: (element: Element) => boolean = () => false): string {
  let text = '';
  let isLineStart = true;
  const stack: (Node | null)[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    let said = node.nodeType === TEXT ? (node.nodeValue ?? '') : '';
    if (isElement(node)) {
      if (skips(node)) continue;
      if (node.localName === 'br' || (!isLineStart && BLOCKS.has(node.localName))) said = '\n';
    }
    if (said !== '') {
      text += said;
      isLineStart = said.endsWith('\n');
    }
    for (const child of [...node.childNodes].reverse()) stack.push(child);
  }
  return text;
}

function isElement(node: Node): node is Element {
  return node.nodeType === ELEMENT;
}

function isHidden(element: Element): boolean {
  return (
    element.hasAttribute('hidden') ||
    element.getAttribute('aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute('style') ?? '')
  );
}

/** Writes elements as Markdown. `isWhole`: nothing of the page is decoration but its menu, as in a file that somebody kept. */
export class MarkdownWriter {
  private readonly base: string | undefined;
  private readonly isWhole: boolean;

  constructor(base: string | undefined, isWhole = false) {
    this.base = base;
    this.isWhole = isWhole;
  }

  write(root: Element): string {
    return trimLines(this.blocks(root, 0).join('\n\n'));
  }

  /** Whether an element says nothing of the main text. The header of an article is part of it, and some programs lay a form around a whole page. */
  private skips(element: Element): boolean {
    const { localName: name } = element;
    if (isHidden(element)) return true;
    // What opens an answer is a button in its heading: the question itself.
    if (name === 'button') return element.closest('h1, h2, h3, h4, h5, h6') === null;
    if (SKIPPED.has(name)) return true;
    if (this.isWhole) return name === 'nav';
    if (!DECORATION.has(name)) return false;
    if (name === 'header') return element.closest('main, article') === null;
    return name !== 'form' || element.querySelector('h1, main, article') === null;
  }

  private tooDeep(element: Element): string {
    return tidy(rawText(element, (inner) => this.skips(inner)).replace(/[ \t\r\f]+/g, ' '));
  }

  /** The blocks of an element; loose inline content becomes paragraphs of its own. */
  private blocks(element: Element, depth: number): string[] {
    if (depth > MAX_DEPTH) return [this.tooDeep(element)].filter((text) => text !== '');
    const blocks: string[] = [];
    let loose = '';
    const closeLoose = () => {
      const paragraph = tidy(loose);
      if (paragraph !== '') blocks.push(paragraph);
      loose = '';
    };
    for (const child of element.childNodes) {
      if (isElement(child) && (BLOCKS.has(child.localName) || holdsBlocks(child))) {
        closeLoose();
        if (this.skips(child)) continue;
        for (const block of this.block(child, depth + 1)) blocks.push(block);
      } else loose += this.inline(child, depth + 1);
    }
    closeLoose();
    return blocks;
  }

  private block(element: Element, depth: number): string[] {
    const { localName: tagName } = element;
    const heading = /^h([1-6])$/.exec(tagName);
    if (heading) {
      const text = tidy(this.inlines(element, depth)).replaceAll('\n', ' ');
      return text === '' ? [] : [`${'#'.repeat(Number(heading[1]))} ${text}`];
    }
    if (tagName === 'pre') return [fenced(rawText(element).replace(/^\n/, '').trimEnd())];
    if (tagName === 'hr') return ['---'];
    if (tagName === 'blockquote') {
      const quoted = this.blocks(element, depth).join('\n\n');
      return quoted === '' ? [] : [quoted.replace(/^/gm, '> ')];
    }
    if (tagName === 'ul' || tagName === 'ol') return this.list(element, depth);
    if (tagName === 'table') return this.table(element, depth);
    return this.blocks(element, depth);
  }

  private list(element: Element, depth: number): string[] {
    const lines: string[] = [];
    let number = Number.parseInt(element.getAttribute('start') ?? '', 10) || 1;
    for (const item of element.childNodes) {
      if (isElement(item) && this.skips(item)) continue;
      const text = isElement(item)
        ? this.blocks(item, depth + 1).join('\n')
        : tidy(this.inline(item, depth + 1));
      if (text === '') continue;
      const mark = element.localName === 'ol' ? `${number++}. ` : '- ';
      lines.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`));
    }
    return lines.length > 0 ? [lines.join('\n')] : [];
  }

  private table(element: Element, depth: number): string[] {
    const { rows, others } = this.partsOf(element);
    const beside = others.flatMap((one) =>
      isElement(one) ? this.blocks(one, depth + 1) : [tidy(this.inline(one, depth + 1))],
    );
    const cells = rows.map((row) => this.cellsOf(row));
    const [only, another] = cells.flat();
    // A frame that a program laid around what it wrote: mails and saved pages stand in several.
    if (only && !another && isElement(only)) return [...beside, ...this.blocks(only, depth + 1)];
    const lines = inColumns(cells, (cell) => {
      const said = isElement(cell) ? this.inlines(cell, depth + 1) : this.inline(cell, depth + 1);
      return tidy(said).replaceAll('\n', ' ').replaceAll('|', '\\|');
    }).filter((row) => row.some((cell) => cell !== ''));
    const [head, ...rest] = lines;
    if (head === undefined) return beside;
    const width = lines.reduce((most, row) => Math.max(most, row.length), 0);
    const filled = [...head, ...Array<string>(width - head.length).fill('')];
    const written = [filled, ...rest].map((row) => `| ${row.join(' | ')} |`);
    written.splice(1, 0, `|${' --- |'.repeat(width)}`);
    return [...beside, written.join('\n')];
  }

  /** The rows of a table, without those of the tables that its cells hold, and what stands in it beside them: its caption. */
  private partsOf(table: Element): { rows: Element[]; others: Node[] } {
    const rows: Element[] = [];
    const others: Node[] = [];
    const stack: Node[] = [...table.childNodes].reverse();
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (!isElement(node)) {
        if (node.nodeType === TEXT && (node.nodeValue ?? '').trim() !== '') others.push(node);
      } else if (!this.skips(node) || node.localName === 'form') {
        if (node.localName === 'tr') rows.push(node);
        else if (node.localName === 'caption') others.push(node);
        else for (const child of [...node.childNodes].reverse()) stack.push(child);
      }
    }
    return { rows, others };
  }

  /** The cells of a row, whatever stands around them in it. */
  private cellsOf(row: Element): Node[] {
    const cells: Node[] = [];
    const stack: Node[] = [...row.childNodes].reverse();
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (!isElement(node)) {
        if (node.nodeType === TEXT && (node.nodeValue ?? '').trim() !== '') cells.push(node);
      } else if (isCell(node)) cells.push(node);
      else if (!this.skips(node) || node.localName === 'form')
        for (const child of [...node.childNodes].reverse()) stack.push(child);
    }
    return cells;
  }

  private inlines(element: Element, depth: number): string {
    if (depth > MAX_DEPTH) return this.tooDeep(element);
    let text = '';
    for (const child of element.childNodes) text += this.inline(child, depth + 1);
    return text;
  }

  private inline(node: Node, depth: number): string {
    if (node.nodeType === TEXT) return (node.nodeValue ?? '').replace(/[ \t\r\n\f]+/g, ' ');
    if (!isElement(node) || this.skips(node)) return '';
    if (node.localName === 'br') return '\n';
    if (node.localName === 'img') return besideWords(node.getAttribute('alt') ?? '');
    const text = this.inlines(node, depth);
    // The elements of a site's own are most often boxes.
    if (BLOCKS.has(node.localName) || isCell(node) || node.localName.includes('-')) return ` ${text} `;
    if (node.localName === 'sup') return inPlainText(withoutEnds(text), 'raised');
    if (node.localName === 'sub') return inPlainText(withoutEnds(text), 'lowered');
    if (text.trim() === '') return text;
    const mark = MARKS.get(node.localName);
    if (mark) return text.replace(/\S[\s\S]*\S|\S/, (inner) => OPEN + mark + inner + mark + CLOSE);
    const address = node.localName === 'a' ? this.address(node.getAttribute('href')) : null;
    return address ? text.replace(/\S[\s\S]*\S|\S/, (inner) => `[${inner}](${address})`) : text;
  }

  /** The absolute http(s) address of a link, or null: fragments, scripts and unreadable addresses keep only their text. */
  private address(href: string | null): string | null {
    if (!href || href.startsWith('#')) return null;
    try {
      const url = new URL(href, this.base);
      return /^https?:$/.test(url.protocol) ? url.href.replaceAll(')', '%29') : null;
    } catch {
      return null;
    }
  }
}

const isCell = ({ localName }: Element) => localName === 'td' || localName === 'th';

/** Columns and rows of one cell beyond these are made, not written. */
const MAX_SPAN = 64;
const MAX_COLUMNS = 1_000;

/** The texts of the rows of a table, each in the column where it is seen: a cell over several says what it says in the first of them. */
function inColumns(rows: readonly (readonly Node[])[], textOf: (cell: Node) => string): string[][] {
  /** Rows that a cell above still covers, by column. */
  const covered = new Map<number, number>();
  return rows.map((cells) => {
    const line: string[] = [];
    const above = new Map(covered);
    for (const [column, left] of above)
      if (left > 1) covered.set(column, left - 1);
      else covered.delete(column);
    for (const cell of cells) {
      while (above.has(line.length)) line.push('');
      const down = spanOf(cell, 'rowspan');
      const across = line.length < MAX_COLUMNS ? spanOf(cell, 'colspan') : 1;
      for (let nth = 0; nth < across; nth++) {
        if (down > 1) covered.set(line.length, down - 1);
        line.push(nth === 0 ? textOf(cell) : '');
      }
    }
    return line;
  });
}

function spanOf(cell: Node, name: 'colspan' | 'rowspan'): number {
  const span = isElement(cell) ? Number.parseInt(cell.getAttribute(name) ?? '', 10) : 1;
  return span > 1 ? Math.min(span, MAX_SPAN) : 1;
}

/** An inline element that wraps blocks (a link around a card) is read as a block. */
function holdsBlocks(element: Element): boolean {
  return (
    !MARKS.has(element.localName) &&
    [...element.childNodes].some((child) => isElement(child) && BLOCKS.has(child.localName))
  );
}

/** What a picture says stands apart from the words around it. */
function besideWords(text: string): string {
  return text.trim() === '' ? '' : ` ${text.trim()} `;
}

/** Code between fences longer than any that it holds. */
function fenced(code: string): string {
  const longest = code.match(/`{3,}/g)?.reduce((most, { length }) => Math.max(most, length), 0) ?? 0;
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${code}\n${fence}`;
}

/** Where a mark begins and ends, until `tidy`: signs that no text has. */
const OPEN = '\ufdd0';
const CLOSE = '\ufdd1';
/** A mark that ends where the same one begins goes on: editors write one in several parts, in the midst of a word. */
const MARKED_ON = new RegExp(`(?<!\\*)(\\*\\*?)${CLOSE}${OPEN}\\1(?!\\*)`, 'g');

function withoutEnds(text: string): string {
  return text.replaceAll(OPEN, '').replaceAll(CLOSE, '');
}

function tidy(text: string): string {
  return wholeWords(withoutEnds(text.replace(MARKED_ON, '').replace(MARKED_ON, '')))
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
