import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import { MarkdownWriter, rawText } from './html-writer.ts';
import type { Parsed } from './types.ts';

/** A page nested deeper than this, or of more elements, is nothing that somebody wrote: the largest that people read have a tenth of it. */
const MAX_NESTING = 1_000;
const MAX_ELEMENTS = 50_000;
/** Attributes and pieces of text, of which `<<<<` or `&amp&amp` make one a sign. */
const MAX_PIECES = 100_000;
const MAX_STYLE = 2_000;
/** A `<main>` or `<article>` with less text than this is decoration: the whole page is read instead. */
const MIN_MAIN_CHARS = 200;

const ELEMENT = 1;
const TEXT = 3;

/**
 * The main text of a web page as Markdown, and its title (og:title, else <title>, else the first h1). An article is what Readability finds;
 * any other page is its `<main>`, else its body. Navigation, scripts, forms and hidden elements are left out; links keep their text, and
 * their absolute address when http(s). Refuses a page without text, of more than 50,000 elements, or nested more than 1,000 deep. Hostile pages can take any time:
 * it runs in a child process (`readPageInChild`).
 */
export function parseHtmlPage(page: { html: string; url?: string }): Parsed<{ title: string; text: string }> {
  if (!isReasonable(page.html)) return { ok: false, reason: 'Cette page est trop complexe pour être lue.' };
  const document = readDocument(page.html);
  const title = cleanTitle(titleOf(document) ?? '', page.url ?? 'Page sans titre');
  const writer = new MarkdownWriter(page.url);
  // Readability takes the document apart: what it does not find is looked for in another copy.
  const text = articleText(document, writer) ?? wholeText(readDocument(page.html), writer);
  return text === ''
    ? { ok: false, reason: 'Cette page ne contient aucun texte lisible.' }
    : { ok: true, title, text };
}

/** What says something about a page, and is none of its text: all that a head may hold. */
const ABOUT = new Set('title meta link base script style noscript template'.split(' '));

/** A page as a document of one head and one body, whatever it lacks or has too much of, with all its text in the body, in order. */
export function readDocument(html: string): Document {
  const document = parseHTML(html).document as unknown as Document;
  inOneBody(document);
  showMost(document.body);
  // The reader of styles takes a time that grows with the square of one; what hides an element is short.
  for (const element of document.querySelectorAll('[style]'))
    if ((element.getAttribute('style') ?? '').length > MAX_STYLE) element.removeAttribute('style');
  return document;
}

/**
 * As browsers do: the reader adds neither head nor body, leaves what stands before, between, in or after them where it was, and takes a body
 * that does not follow the head for none.
 */
function inOneBody(document: Document): void {
  let root: Element | null = null;
  let body: Element | null = null;
  const about: Node[] = [];
  const before: Node[] = [];
  const after: Node[] = [];
  const stack = [...document.childNodes].reverse();
  for (let node = stack.pop(); node; node = stack.pop()) {
    const name = node.nodeType === ELEMENT ? (node as Element).localName : '';
    if (name === 'html') root ??= node as Element;
    if (name === 'body' && body === null) body = node as Element;
    else if (name === 'html' || name === 'head')
      for (const child of [...node.childNodes].reverse()) stack.push(child);
    else if (ABOUT.has(name) && body === null) about.push(node);
    else if (name !== '' || node.nodeType === TEXT) (body ? after : before).push(node);
  }
  root ??= document.createElement('html');
  body ??= document.createElement('body');
  const head = document.createElement('head');
  head.append(...about);
  body.prepend(...before);
  body.append(...after);
  root.replaceChildren(head, body);
  // biome-ignore lint/nursery/noUselessSpread: `children` is live, and loses each child that is removed.
  for (const child of [...document.children]) child.remove();
  document.append(root);
}

/**
 * A window that stood open over a page, as the banner about cookies does, says that the rest is hidden; whoever saved the page saw it. What
 * holds most of the text is no decoration.
 */
function showMost(body: Element): void {
  const weigh = (element: Element) =>
    rawText(element, ({ localName }) => ABOUT.has(localName)).replace(/\s+/g, '').length;
  const half = weigh(body) / 2;
  const stack = [...body.children];
  for (let element = stack.pop(); element; element = stack.pop()) {
    if (element.getAttribute('aria-hidden') !== 'true')
      for (const child of element.children) stack.push(child);
    else if (weigh(element) > half) element.removeAttribute('aria-hidden');
  }
}

class TooComplex extends Error {}

/** Whether the page stays within the limits, told by its tags alone: building it would already be the harm. */
export function isReasonable(html: string): boolean {
  let elements = 0;
  let others = 0;
  let depth = 0;
  const parser = new Parser({
    onopentagname() {
      elements += 1;
      depth += 1;
      if (elements > MAX_ELEMENTS || depth > MAX_NESTING) throw new TooComplex();
    },
    onclosetag() {
      depth -= 1;
    },
    ontext() {
      others += 1;
      if (others > MAX_PIECES) throw new TooComplex();
    },
    onattribute() {
      others += 1;
      if (others > MAX_PIECES) throw new TooComplex();
    },
  });
  try {
    parser.end(html);
    return true;
  } catch (error) {
    if (error instanceof TooComplex) return false;
    throw error;
  }
}

function articleText(document: Document, writer: MarkdownWriter): string | null {
  if (!isProbablyReaderable(document)) return null;
  const article = new Readability<Element>(document, {
    charThreshold: MIN_MAIN_CHARS,
    serializer: (element) => element as Element,
  }).parse();
  const text = article?.content ? writer.write(article.content) : '';
  return text.length < MIN_MAIN_CHARS ? null : text;
}

function wholeText(document: Document, writer: MarkdownWriter): string {
  const main = document.querySelector('main, [role="main"], article');
  const text = main ? writer.write(main) : '';
  if (text.length >= MIN_MAIN_CHARS) return text;
  const body = writer.write(document.body);
  return body.length > text.length ? body : text;
}

function titleOf(document: Document): string | null {
  const social = document.querySelector('meta[property="og:title"]')?.getAttribute('content')?.trim();
  if (social) return social;
  for (const place of ['title', 'h1']) {
    const text = rawText(document.querySelector(place)).trim();
    if (text !== '') return text;
  }
  return null;
}
