import { MAX_TITLE_LENGTH } from '#lib/brain/limits.ts';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import { isReasonable, readDocument } from '../parse/html.ts';
import { MarkdownWriter, rawText } from '../parse/html-writer.ts';
import type { Parsed } from '../parse/types.ts';

/**
 * The whole text of a saved or exported HTML file, and its title (its title paragraph, else `<title>`, else null). Only menus are dropped as
 * decoration, unlike on a web page. Reads the conventions of Google Docs (bold and italics by class, nested lists side by side, redirected
 * links, comments, which are left out) and of a Notion export. Refuses a page that is too complex, or without text.
 */
export function parseHtmlFile(html: string): Parsed<{ title: string | null; text: string }> {
  if (!isReasonable(html)) return { ok: false, reason: 'Cette page est trop complexe pour être lue.' };
  const document = readDocument(html);
  const titled = document.querySelector('p.title, h1.page-title');
  const title = rawText(titled).trim() || rawText(document.querySelector('title')).trim();
  // A title is shortened: one as long as a paragraph stays in the text too.
  if (title.length <= MAX_TITLE_LENGTH) titled?.remove();
  readGoogleDocs(document, html);
  const writer = new MarkdownWriter(undefined, true);
  const description = document.querySelector('p.page-description');
  const properties = document.querySelector('table.properties');
  const page = document.querySelector('.page-body');
  const text = page
    ? [description, properties, page]
        .flatMap((element) => (element ? [writer.write(element)] : []))
        .join('\n\n')
        .trim()
    : writer.write(document.body);
  return text === ''
    ? { ok: false, reason: 'Cette page ne contient aucun texte lisible.' }
    : { ok: true, title: title === '' ? null : cleanTitle(title), text };
}

/** Its styles are short; a longer sheet is some other page's. */
const MAX_SHEET = 200_000;
const RULE = /\.(c\d{1,4})\s?\{([^{}]{0,400})\}/g;

function readGoogleDocs(document: Document, html: string): void {
  if (!/class="[^"]{0,80}\bdoc-content\b|lst-kix_|docs\.google\.com/.test(html.slice(0, 1_000_000))) return;
  const sheet = rawText(document.querySelector('style')).slice(0, MAX_SHEET);
  const marks = new Map<string, string[]>();
  for (const [, name = '', rules = ''] of sheet.matchAll(RULE)) {
    const tags = [
      ...(/font-weight:\s*(?:700|bold)/.test(rules) ? ['b'] : []),
      ...(/font-style:\s*italic/.test(rules) ? ['i'] : []),
    ];
    if (tags.length > 0) marks.set(name, tags);
  }
  for (const span of document.querySelectorAll('p span, li span, td span')) {
    const tags = new Set([...span.classList].flatMap((name) => marks.get(name) ?? []));
    for (const tag of tags) wrap(document, span, tag);
  }
  for (const link of document.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    // A comment: its mark in the text, and what it said at the end.
    if (/^#cmnt/.test(href)) (link.closest('sup') ?? link.closest('div') ?? link).remove();
    else link.setAttribute('href', behindGoogle(href));
  }
  for (const list of document.querySelectorAll('ul, ol')) nest(list);
}

function wrap(document: Document, element: Element, tag: string): void {
  const mark = document.createElement(tag);
  mark.append(...element.childNodes);
  element.append(mark);
}

/** Where a link of Google Docs leads, behind `google.com/url?q=`. */
function behindGoogle(href: string): string {
  try {
    const url = new URL(href);
    const isRedirection = /^(www\.)?google\.[a-z.]{2,6}$/.test(url.hostname) && url.pathname === '/url';
    return (isRedirection && url.searchParams.get('q')) || href;
  } catch {
    return href;
  }
}

/** A list of a deeper level follows the list that it belongs to: it goes under its last item. */
function nest(list: Element): void {
  const level = levelOf(list);
  const before = list.previousElementSibling;
  if (!before || !/^[ou]l$/.test(before.localName)) return;
  if (level === 0) {
    // What went between its items is under them by now: it is one list again, and its numbers go on.
    if (listOf(list) === null || listOf(list) !== listOf(before)) return;
    before.append(...list.childNodes);
    list.remove();
    return;
  }
  let under = before;
  for (let at = levelOf(before); at < level - 1; at++) {
    const inner = under.lastElementChild?.lastElementChild;
    if (!inner || !/^[ou]l$/.test(inner.localName)) break;
    under = inner;
  }
  if (levelOf(under) < level) under.lastElementChild?.append(list);
}

const LIST = /(?:^|\s)lst-kix_(\w{1,40})-(\d)(?:\s|$)/;

function levelOf(list: Element): number {
  return Number(LIST.exec(list.getAttribute('class') ?? '')?.[2] ?? 0);
}

function listOf(list: Element): string | null {
  return LIST.exec(list.getAttribute('class') ?? '')?.[1] ?? null;
}
