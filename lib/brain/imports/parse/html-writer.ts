import { trimLines } from './text.ts';

/** Elements that say nothing of a page's main text. */
const SKIPPED = new Set(
  'script style noscript template nav header footer aside form button input select textarea svg canvas iframe object embed dialog menu head title link meta'.split(
    ' ',
  ),
);
const BLOCKS = new Set(
  'p div section article main figure figcaption address details summary dl dt dd ul ol table caption blockquote pre h1 h2 h3 h4 h5 h6 hr li tr'.split(
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
/** Text nested deeper than this is left out. */
const MAX_DEPTH = 400;

const ELEMENT = 1;
const TEXT = 3;

/** Text of everything below, in order; iterative, for a page may be nested without end. */
export function rawText(root: Node | null): string {
  let text = '';
  const stack: (Node | null)[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeType === TEXT) text += node.nodeValue ?? '';
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

/** Writes elements as Markdown. */
export class MarkdownWriter {
  private readonly base: string | undefined;

  constructor(base: string | undefined) {
    this.base = base;
  }

  write(root: Element): string {
    return trimLines(this.blocks(root, 0).join('\n\n'));
  }

  /** The blocks of an element; loose inline content becomes paragraphs of its own. */
  private blocks(element: Element, depth: number): string[] {
    if (depth > MAX_DEPTH) return [];
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
        if (SKIPPED.has(child.localName) || isHidden(child)) continue;
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
    if (tagName === 'pre') return [`\`\`\`\n${rawText(element).replace(/^\n/, '').trimEnd()}\n\`\`\``];
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
    let number = 1;
    for (const item of element.childNodes) {
      if (!isElement(item) || SKIPPED.has(item.localName) || isHidden(item)) continue;
      const text = this.blocks(item, depth + 1).join('\n');
      if (text === '') continue;
      const mark = element.localName === 'ol' ? `${number++}. ` : '- ';
      lines.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`));
    }
    return lines.length > 0 ? [lines.join('\n')] : [];
  }

  private table(element: Element, depth: number): string[] {
    const cells = rowsOf(element).map(cellsOf);
    const [only, another] = cells.flat();
    // A frame that a program laid around what it wrote: mails and saved pages stand in several.
    if (only && !another) return this.blocks(only, depth + 1);
    const rows = cells
      .map((row) =>
        row.map((cell) =>
          tidy(this.inlines(cell, depth + 1))
            .replaceAll('\n', ' ')
            .replaceAll('|', '\\|'),
        ),
      )
      .filter((row) => row.some((cell) => cell !== ''));
    const [head, ...rest] = rows.map((row) => `| ${row.join(' | ')} |`);
    if (head === undefined) return [];
    const rule = `|${' --- |'.repeat(rows[0]?.length ?? 1)}`;
    return [[head, rule, ...rest].join('\n')];
  }

  private inlines(element: Element, depth: number): string {
    if (depth > MAX_DEPTH) return '';
    let text = '';
    for (const child of element.childNodes) text += this.inline(child, depth + 1);
    return text;
  }

  private inline(node: Node, depth: number): string {
    if (node.nodeType === TEXT) return (node.nodeValue ?? '').replace(/[ \t\r\n\f]+/g, ' ');
    if (!isElement(node) || SKIPPED.has(node.localName) || isHidden(node)) return '';
    if (node.localName === 'br') return '\n';
    if (node.localName === 'img') return node.getAttribute('alt')?.trim() ?? '';
    const text = this.inlines(node, depth);
    if (BLOCKS.has(node.localName) || isCell(node)) return ` ${text} `;
    if (text.trim() === '') return text;
    const mark = MARKS.get(node.localName);
    if (mark) return text.replace(/\S[\s\S]*\S|\S/, (inner) => mark + inner + mark);
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

/** The rows of a table, without those of the tables that its cells hold. */
function rowsOf(table: Element): Element[] {
  const rows: Element[] = [];
  const stack: Node[] = [...table.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    if (node.localName === 'tr') rows.push(node);
    else for (const child of [...node.childNodes].reverse()) stack.push(child);
  }
  return rows;
}

const isCell = ({ localName }: Element) => localName === 'td' || localName === 'th';

function cellsOf(row: Element): Element[] {
  return [...row.childNodes].filter((cell): cell is Element => isElement(cell) && isCell(cell));
}

/** An inline element that wraps blocks (a link around a card) is read as a block. */
function holdsBlocks(element: Element): boolean {
  return (
    !MARKS.has(element.localName) &&
    [...element.childNodes].some((child) => isElement(child) && BLOCKS.has(child.localName))
  );
}

function tidy(text: string): string {
  return text
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
