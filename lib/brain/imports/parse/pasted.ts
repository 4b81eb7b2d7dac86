import { MarkdownWriter, rawText } from './html-writer.ts';

/** What is worth keeping of a page that was copied; without any of it, its plain text says as much. */
const STRUCTURE = 'h1,h2,h3,h4,h5,h6,li,a[href],strong,b,em,i,table,blockquote';
/** A page larger than this is pasted as plain text: nobody waits for it. */
const MAX_ELEMENTS = 20_000;

const styleOf = (element: Element) => element.getAttribute('style') ?? '';

/**
 * Markdown of what a browser, Word or Google Docs laid on the clipboard, headings, lists and links kept; null when its plain text says
 * as much, and for a source whose spaces matter (a code editor). Changes the document it is given, which nobody shows.
 */
export function markdownOfPasted(document: Document): string | null {
  const { body } = document;
  if (body.querySelectorAll('*').length > MAX_ELEMENTS) return null;
  // Code editors copy colours, not structure: their plain text is what was written.
  const first = body.firstElementChild;
  if (first && /white-space\s*:\s*pre\s*(;|$)/i.test(styleOf(first))) return null;
  unwrapFalseBold(body);
  markByStyle(document, body);
  nameTitles(document, body);
  gatherWordLists(document, body);
  nestLists(body);
  for (const link of body.querySelectorAll('a[href]')) link.setAttribute('href', withoutRedirect(link));
  for (const mark of body.querySelectorAll('h1 b,h1 strong,h2 b,h2 strong,h3 b,h3 strong,h4 b,h4 strong'))
    unwrap(mark);
  if (!body.querySelector(STRUCTURE)) return null;
  return new MarkdownWriter(undefined).write(body) || null;
}

/** Google Docs wraps all that it copies in a `<b>` that is not bold; Word does it of a few words. */
function unwrapFalseBold(body: Element): void {
  for (const mark of body.querySelectorAll('b,strong,i,em'))
    if (/font-(weight|style)\s*:\s*(normal|400)/i.test(styleOf(mark).replace(/mso-[^;]*/gi, '')))
      unwrap(mark);
}

/** Google Docs says bold and italics by style alone. */
function markByStyle(document: Document, body: Element): void {
  for (const span of body.querySelectorAll('span[style]')) {
    if (rawText(span).trim() === '') continue;
    const style = styleOf(span);
    if (/font-weight\s*:\s*(bold|[6-9]00)/i.test(style)) wrapInside(document, span, 'strong');
    if (/font-style\s*:\s*italic/i.test(style)) wrapInside(document, span, 'em');
  }
}

/** Word's title and subtitle are paragraphs with a name. */
function nameTitles(document: Document, body: Element): void {
  for (const [name, heading] of [
    ['MsoTitle', 'h1'],
    ['MsoSubtitle', 'h2'],
  ] as const)
    for (const paragraph of body.querySelectorAll(`p.${name}`)) rename(document, paragraph, heading);
}

type Level = { level: number; ordered: boolean };

/** Word's lists are paragraphs whose style says their level, and whose first words are the mark: they become lists again. */
function gatherWordLists(document: Document, body: Element): void {
  const open: { list: Element; level: number }[] = [];
  for (const paragraph of body.querySelectorAll('p')) {
    const item = wordItem(paragraph);
    const before = open[0]?.list;
    if (!item || (before && before.nextElementSibling !== paragraph)) open.length = 0;
    if (!item) continue;
    while ((open.at(-1)?.level ?? 0) > item.level) open.pop();
    const above = open.at(-1);
    if (!above || above.level < item.level) {
      const list = document.createElement(item.ordered ? 'ol' : 'ul');
      if (above) (above.list.lastElementChild ?? above.list).append(list);
      else paragraph.before(list);
      open.push({ list, level: item.level });
    }
    const li = document.createElement('li');
    li.append(...paragraph.childNodes);
    open.at(-1)?.list.append(li);
    paragraph.remove();
  }
}

/** The place of a paragraph in a list of Word, its mark taken away; null for any other. */
function wordItem(paragraph: Element): Level | null {
  const named = /\bMsoListParagraph/.test(paragraph.getAttribute('class') ?? '');
  const said = /mso-list\s*:\s*l\d+\s+level(\d+)/i.exec(styleOf(paragraph));
  if (!named && !said) return null;
  const mark =
    [...paragraph.querySelectorAll('span')].find((span) => /mso-list\s*:\s*ignore/i.test(styleOf(span))) ??
    [...paragraph.querySelectorAll('span')].find((span) => /font-family\s*:\s*symbol/i.test(styleOf(span)));
  if (!mark) return null;
  const ordered = /^[\s\u00a0]*(\d+|[a-z]{1,3})[.)]/i.test(rawText(mark));
  mark.remove();
  return { level: Number(said?.[1] ?? 1), ordered };
}

/** Google Docs puts an inner list beside the item that it belongs to. */
function nestLists(body: Element): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const item = list.previousElementSibling;
    if (item?.localName === 'li') item.append(list);
  }
}

/** Google Docs sends links through an address of its own. */
function withoutRedirect(link: Element): string {
  const href = link.getAttribute('href') ?? '';
  if (!href.startsWith('https://www.google.com/url?')) return href;
  return new URL(href).searchParams.get('q') ?? href;
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function wrapInside(document: Document, element: Element, name: string): void {
  const mark = document.createElement(name);
  mark.append(...element.childNodes);
  element.append(mark);
}

function rename(document: Document, element: Element, name: string): void {
  const other = document.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}
