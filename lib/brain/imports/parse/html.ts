import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import { trimLines } from './text.ts';
import type { Parsed } from './types.ts';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** Elements that say nothing of a page's main text. */
const SKIPPED = new Set(
  'script style noscript template nav header footer aside form button input select textarea svg canvas iframe object embed dialog menu head link meta'.split(
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
/** A page nested deeper than this is not text that somebody wrote; what lies below is left out. */
const MAX_DEPTH = 400;
/** A `<main>` or `<article>` with less text than this is decoration: the whole page is read instead. */
const MIN_MAIN_CHARS = 200;

/**
 * The main text of a web page as Markdown, and its title (og:title, else <title>, else the first h1). Navigation, scripts, forms and hidden
 * elements are left out; links keep their text, and their absolute address when http(s). Refuses a page without text.
 */
export function parseHtmlPage(page: { html: string; url?: string }): Parsed<{ title: string; text: string }> {
  const document = parse(page.html);
  const writer = new MarkdownWriter(page.url);
  const main = elements(document).find(
    (element) =>
      element.tagName === 'main' || attribute(element, 'role') === 'main' || element.tagName === 'article',
  );
  let text = main ? writer.write(main) : '';
  if (text.length < MIN_MAIN_CHARS) {
    const body = elements(document).find(({ tagName }) => tagName === 'body');
    const whole = body ? writer.write(body) : '';
    if (whole.length > text.length) text = whole;
  }
  if (text === '') return { ok: false, reason: 'Cette page ne contient aucun texte lisible.' };
  return { ok: true, title: cleanTitle(titleOf(document) ?? '', page.url ?? 'Page sans titre'), text };
}

function titleOf(document: Node): string | null {
  let title: string | null = null;
  let heading: string | null = null;
  for (const element of elements(document)) {
    if (element.tagName === 'meta' && attribute(element, 'property') === 'og:title') {
      const content = attribute(element, 'content')?.trim();
      if (content) return content;
    }
    if (element.tagName === 'title') title ??= rawText(element).trim() || null;
    if (element.tagName === 'h1') heading ??= rawText(element).trim() || null;
  }
  return title ?? heading;
}

/** Every element in document order; iterative, for a page may be nested without end. */
function elements(root: Node): Element[] {
  const found: Element[] = [];
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
  return found;
}

function rawText(root: Node): string {
  let text = '';
  const stack: Node[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.nodeName === '#text' && 'value' in node) text += node.value;
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) stack.push(child);
  }
  return text;
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

function isHidden(element: Element): boolean {
  return (
    attribute(element, 'hidden') !== undefined ||
    attribute(element, 'aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(element, 'style') ?? '')
  );
}

class MarkdownWriter {
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
      if ('tagName' in child && (BLOCKS.has(child.tagName) || holdsBlocks(child))) {
        closeLoose();
        if (SKIPPED.has(child.tagName) || isHidden(child)) continue;
        for (const block of this.block(child, depth + 1)) blocks.push(block);
      } else loose += this.inline(child, depth + 1);
    }
    closeLoose();
    return blocks;
  }

  private block(element: Element, depth: number): string[] {
    const { tagName } = element;
    const heading = /^h([1-6])$/.exec(tagName);
    if (heading) {
      const text = tidy(this.inlines(element, depth)).replaceAll('\n', ' ');
      return text === '' ? [] : [`${'#'.repeat(Number(heading[1]))} ${text}`];
    }
    if (tagName === 'pre') return [`\`\`\`\n${rawText(element).replace(/^\n|\s+$/g, '')}\n\`\`\``];
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
      if (!('tagName' in item) || SKIPPED.has(item.tagName) || isHidden(item)) continue;
      const text = this.blocks(item, depth + 1).join('\n');
      if (text === '') continue;
      const mark = element.tagName === 'ol' ? `${number++}. ` : '- ';
      lines.push(mark + text.replaceAll('\n', `\n${' '.repeat(mark.length)}`));
    }
    return lines.length > 0 ? [lines.join('\n')] : [];
  }

  private table(element: Element, depth: number): string[] {
    const rows = elements(element)
      .filter(({ tagName }) => tagName === 'tr')
      .map((row) =>
        row.childNodes
          .filter((cell): cell is Element => 'tagName' in cell && /^t[dh]$/.test(cell.tagName))
          .map((cell) =>
            tidy(this.inlines(cell, depth + 1))
              .replaceAll('\n', ' ')
              .replaceAll('|', '\\|'),
          ),
      )
      .filter((cells) => cells.some((cell) => cell !== ''));
    const [head, ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`);
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
    if (node.nodeName === '#text' && 'value' in node) return node.value.replace(/[ \t\r\n\f]+/g, ' ');
    if (!('tagName' in node) || SKIPPED.has(node.tagName) || isHidden(node)) return '';
    if (node.tagName === 'br') return '\n';
    if (node.tagName === 'img') return attribute(node, 'alt')?.trim() ?? '';
    const text = this.inlines(node, depth);
    if (BLOCKS.has(node.tagName)) return ` ${text} `;
    if (text.trim() === '') return text;
    const mark = MARKS.get(node.tagName);
    if (mark) return text.replace(/\S[\s\S]*\S|\S/, (inner) => mark + inner + mark);
    const address = node.tagName === 'a' ? this.address(attribute(node, 'href')) : null;
    return address ? text.replace(/\S[\s\S]*\S|\S/, (inner) => `[${inner}](${address})`) : text;
  }

  /** The absolute http(s) address of a link, or null: fragments, scripts and unreadable addresses keep only their text. */
  private address(href: string | undefined): string | null {
    if (!href || href.startsWith('#')) return null;
    try {
      const url = new URL(href, this.base);
      return /^https?:$/.test(url.protocol) ? url.href.replaceAll(')', '%29') : null;
    } catch {
      return null;
    }
  }
}

/** An inline element that wraps blocks (a link around a card) is read as a block. */
function holdsBlocks(element: Element): boolean {
  return (
    !MARKS.has(element.tagName) &&
    element.childNodes.some((child) => 'tagName' in child && BLOCKS.has(child.tagName))
  );
}

function tidy(text: string): string {
  return text
    .replace(/ +/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}
