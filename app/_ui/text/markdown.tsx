// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region is not a section of the text
import { Lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { cx } from '../cx.ts';

/** Deeper nesting than any reader follows; past it the source is shown as it is. */
const MAX_DEPTH = 24;
const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** The address a link may carry: complete, and http, https or mailto. Anything else is null, and shown as words. */
export function safeHref(href: string): string | null {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return null;
  try {
    const url = new URL(href);
    if (!SAFE_PROTOCOLS.has(url.protocol) || url.username || url.password) return null;
    return url.href;
  } catch {
    return null;
  }
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: '’', nbsp: '\u00a0' };

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, dec, hex, name) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const point = dec ? Number(dec) : Number.parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

type MarkdownProps = {
  text: string;
  /** Level given to the text's highest headings, so that they continue the page's own outline. */
  baseLevel?: 2 | 3 | 4;
  className?: string;
};

/**
 * Markdown as React elements, nothing else: raw HTML is shown as text, an image becomes its caption as a link,
 * and a link goes nowhere but to a complete http, https or mailto address. Never throws: a text that cannot be
 * read is shown as it is.
 */
export function Markdown({ text, baseLevel = 3, className }: MarkdownProps) {
  return (
    <div className={cx('wrap-anywhere min-w-0 space-y-3 leading-relaxed', className)}>
      {markdownNodes(text, baseLevel)}
    </div>
  );
}

/** The elements of a Markdown text, without a frame. */
function markdownNodes(text: string, baseLevel = 3): ReactNode {
  try {
    const tokens = new Lexer({ gfm: true, breaks: true }).lex(text.slice(0, 200_000));
    const depths = tokens.flatMap((token) =>
      token.type === 'heading' ? [(token as Tokens.Heading).depth] : [],
    );
    const outline = { base: baseLevel, top: Math.min(6, ...depths), last: baseLevel - 1 };
    return blocks(tokens, { outline, depth: 0 });
  } catch {
    return <p className="whitespace-pre-wrap">{text}</p>;
  }
}

type Place = { outline: Outline; depth: number };

/** Levels of the headings already met: the text's own highest one is the page's next, and none is skipped. */
type Outline = { base: number; top: number; last: number };

function blocks(tokens: Token[], place: Place): ReactNode {
  if (place.depth > MAX_DEPTH) return tokens.map((token) => token.raw).join('');
  const inner = { ...place, depth: place.depth + 1 };
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text have no identity beyond their place
    <Fragment key={index}>{block(token as Tokens.Generic, inner)}</Fragment>
  ));
}

function block(token: Tokens.Generic, place: Place): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return heading(token as Tokens.Heading, place);
    case 'paragraph':
      return <p>{inlines(token.tokens ?? [], place)}</p>;
    case 'text':
      return token.tokens ? inlines(token.tokens, place) : decode(token.text);
    case 'blockquote':
      return (
        <blockquote className="space-y-3 border-line-strong border-l-2 pl-4 text-ink-soft">
          {blocks(token.tokens ?? [], place)}
        </blockquote>
      );
    case 'list':
      return list(token as Tokens.List, place);
    case 'code':
      return (
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-md bg-sunken px-3 py-2.5 font-mono text-xs leading-5"
        >
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr className="border-line" />;
    case 'table':
      return table(token as Tokens.Table, place);
    default:
      // Raw HTML, and whatever a later version of the reader may produce: shown, never interpreted.
      return <p className="whitespace-pre-wrap">{token.raw.trim()}</p>;
  }
}

const HEADINGS = ['text-lg', 'text-base', 'text-sm'];

function heading(token: Tokens.Heading, place: Place): ReactNode {
  const { outline } = place;
  const rank = Math.max(0, token.depth - outline.top);
  const level = Math.min(6, outline.base + rank, outline.last + 1);
  outline.last = level;
  const H = `h${level}` as 'h3';
  return (
    <H className={cx('pt-1 font-semibold', HEADINGS[Math.min(2, level - outline.base)])}>
      {inlines(token.tokens, place)}
    </H>
  );
}

function list(token: Tokens.List, place: Place): ReactNode {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items of one text have no identity beyond their place
    <li key={index} className={cx(item.task && '-ml-5 flex list-none gap-2')}>
      {item.task ? (
        <input
          type="checkbox"
          disabled
          checked={Boolean(item.checked)}
          aria-label={item.checked ? 'Fait' : 'À faire'}
        />
      ) : null}
      <div className="min-w-0 space-y-1.5">
        {blocks(
          item.tokens.filter((inner) => inner.type !== 'checkbox'),
          place,
        )}
      </div>
    </li>
  ));
  return token.ordered ? (
    <ol start={token.start === '' ? 1 : token.start} className="list-decimal space-y-1 pl-6">
      {items}
    </ol>
  ) : (
    <ul className="list-disc space-y-1 pl-5">{items}</ul>
  );
}

function table(token: Tokens.Table, place: Place): ReactNode {
  const align = (at: number) =>
    cx(
      'px-3 py-1.5',
      { center: 'text-center', right: 'text-right', left: 'text-left' }[token.align[at] ?? 'left'],
    );
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Tableau"
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="tabular w-full border-collapse text-sm">
        <thead className="bg-sunken">
          <tr>
            {token.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns of one text never move
              <th key={at} scope="col" className={cx(align(at), 'font-medium')}>
                {inlines(cell.tokens, place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text never move
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns of one text never move
                <td key={column} className={align(column)}>
                  {inlines(cell.tokens, place)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: Token[], place: Place): ReactNode {
  if (place.depth > MAX_DEPTH) return tokens.map((token) => token.raw).join('');
  const inner = { ...place, depth: place.depth + 1 };
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens of one text have no identity beyond their place
    <Fragment key={index}>{inline(token as Tokens.Generic, inner)}</Fragment>
  ));
}

function inline(token: Tokens.Generic, place: Place): ReactNode {
  switch (token.type) {
    case 'text':
      return token.tokens ? inlines(token.tokens, place) : decode(token.text);
    case 'escape':
      return token.text;
    case 'strong':
      return <strong className="font-semibold">{inlines(token.tokens ?? [], place)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens ?? [], place)}</em>;
    case 'del':
      return <s>{inlines(token.tokens ?? [], place)}</s>;
    case 'br':
      return <br />;
    case 'codespan':
      return <code className="rounded-[3px] bg-sunken px-1 py-0.5 font-mono text-[0.9em]">{token.text}</code>;
    case 'link':
      return link(token.href, inlines(token.tokens ?? [], place));
    case 'image':
      // An outside image would tell a stranger who reads what, and when.
      return link(token.href, `Image\u00a0: ${token.text || token.href}`);
    default:
      return token.raw;
  }
}

function link(href: string, words: ReactNode): ReactNode {
  const safe = safeHref(href);
  if (!safe) return words;
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-ink underline decoration-accent-ink/40 underline-offset-2 hover:decoration-current"
    >
      {words}
    </a>
  );
}
