// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useSemanticElements: a scrolling region is not a section of the text
import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode } from 'react';
import { cx } from '../cx.ts';

/** Deeper nesting than any reader follows: such a text is shown as its source. */
const MAX_DEPTH = 24;
/** The number of elements that a page draws without a noticeable pause; the rest of the text is shown as its source. */
const MAX_ELEMENTS = 10_000;
const MAX_LENGTH = 200_000;

// Linear on any text, unlike parsers made of patterns: a stored text must never freeze the page. `safeHref` validates the
// addresses.
const reader = new MarkdownIt({ html: false, breaks: true });
Object.assign(reader.options, { maxNesting: MAX_DEPTH * 2 });
reader.validateLink = () => true;

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** The address that a link may have: complete, without credentials, and http, https or mailto. Null for any other, which is shown as text. */
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

type MarkdownProps = {
  text: string;
  /** Level of the text's highest headings, so that they continue the outline of the page. */
  baseLevel?: 2 | 3 | 4;
  className?: string;
};

/**
 * Markdown as React elements, nothing else: raw HTML is shown as text, an image becomes a link with its caption, and links only lead to complete
 * http, https or mailto addresses. Never throws: a text that cannot be parsed is shown as its source.
 */
export function Markdown({ text, baseLevel = 3, className }: MarkdownProps) {
  return (
    <div className={cx('wrap-anywhere min-w-0 space-y-3 leading-relaxed', className)}>
      {markdownNodes(text, baseLevel)}
    </div>
  );
}

/** The elements of a Markdown text, without a wrapper. */
function markdownNodes(text: string, baseLevel = 3): ReactNode {
  try {
    const shown = text.slice(0, MAX_LENGTH);
    const tokens = reader.parse(shown, {});
    if (tokens.some(({ level }) => level > MAX_DEPTH)) return <Source text={text} />;
    const { count, rest } = firstTokens(tokens);
    const ranks = tokens.flatMap(({ type, tag }) => (type === 'heading_open' ? [Number(tag.slice(1))] : []));
    const outline = { base: baseLevel, top: Math.min(6, ...ranks), last: baseLevel - 1 };
    const nodes = new Builder(outline).build(tokens.slice(0, count));
    if (rest === null) return nodes;
    const lines = shown.split('\n').slice(rest).join('\n');
    return (
      <>
        {nodes}
        <Source text={lines + text.slice(MAX_LENGTH)} />
      </>
    );
  } catch {
    return <Source text={text} />;
  }
}

/** A text as it was written. */
function Source({ text }: { text: string }) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}

/** How many tokens form whole blocks within `MAX_ELEMENTS`, and the line at which the rest begins; null if there is no rest. */
function firstTokens(tokens: readonly Token[]): { count: number; rest: number | null } {
  let elements = 0;
  let start = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.level === 0 && token.nesting >= 0) start = index;
    elements += 1 + (token.children?.length ?? 0);
    if (elements > MAX_ELEMENTS) return { count: start, rest: tokens[start]?.map?.[0] ?? 0 };
  }
  return { count: tokens.length, rest: null };
}

/** The levels of headings: `base` for the text's highest one, whose rank is `top`; no level after `last` is skipped. */
type Outline = { base: number; top: number; last: number };

type Frame = { token: Token | null; children: ReactNode[]; task: boolean | null };

/** Turns the flat tokens of the parser into nested elements. */
class Builder {
  private readonly outline: Outline;

  constructor(outline: Outline) {
    this.outline = outline;
  }

  build(tokens: readonly Token[]): ReactNode {
    const stack: Frame[] = [{ token: null, children: [], task: null }];
    const top = () => stack.at(-1) as Frame;
    for (const [index, token] of tokens.entries()) {
      if (token.nesting === 1) stack.push({ token, children: [], task: taskOf(tokens, index) });
      else if (token.nesting === -1) {
        const frame = stack.pop();
        if (frame?.token && stack.length > 0) top().children.push(this.wrap(frame, frame.token));
      } else if (token.type === 'text' && !stack.some((frame) => frame.token?.type === 'link_open'))
        top().children.push(...withLinks(token.content));
      else top().children.push(this.leaf(token));
    }
    return keyed(stack[0]?.children ?? []);
  }

  private wrap({ children, task }: Frame, token: Token): ReactNode {
    const inner = keyed(children);
    switch (token.type) {
      case 'paragraph_open':
        return token.hidden ? inner : <p>{inner}</p>;
      case 'heading_open':
        return this.heading(Number(token.tag.slice(1)), inner);
      case 'blockquote_open':
        return (
          <blockquote className="space-y-3 border-line-strong border-l-2 pl-4 text-ink-soft">
            {inner}
          </blockquote>
        );
      case 'bullet_list_open':
        return (
          <ul role="list" className="list-disc space-y-1 pl-5">
            {inner}
          </ul>
        );
      case 'ordered_list_open':
        return (
          <ol start={Number(token.attrGet('start') ?? 1)} role="list" className="list-decimal space-y-1 pl-6">
            {inner}
          </ol>
        );
      case 'list_item_open':
        return item(inner, task);
      case 'strong_open':
        return <strong className="font-semibold">{inner}</strong>;
      case 'em_open':
        return <em>{inner}</em>;
      case 's_open':
        return <s>{inner}</s>;
      case 'link_open':
        return link(token.attrGet('href') ?? '', inner);
      default:
        return tablePart(token, inner);
    }
  }

  private leaf(token: Token): ReactNode {
    switch (token.type) {
      case 'inline':
        return this.build(token.children ?? []);
      case 'text':
      case 'text_special':
        return token.content;
      case 'softbreak':
      case 'hardbreak':
        return <br />;
      case 'code_inline':
        return (
          <code className="rounded-[3px] bg-sunken px-1 py-0.5 font-mono text-[0.9em]">{token.content}</code>
        );
      case 'image':
        // An external image would tell a third party who reads the text, and when.
        return link(
          token.attrGet('src') ?? '',
          `Image\u00a0: ${token.content || token.attrGet('src') || ''}`,
        );
      case 'fence':
      case 'code_block':
        return (
          <pre
            tabIndex={0}
            className="overflow-x-auto rounded-md bg-sunken px-3 py-2.5 font-mono text-xs leading-5"
          >
            <code>{token.content.replace(/\n$/, '')}</code>
          </pre>
        );
      case 'hr':
        return <hr className="border-line" />;
      default:
        // A token that a later version of the parser may produce is shown as text, never interpreted.
        return token.content;
    }
  }

  private heading(depth: number, inner: ReactNode): ReactNode {
    const { outline } = this;
    const rank = Math.max(0, depth - outline.top);
    const level = Math.min(6, outline.base + rank, outline.last + 1);
    outline.last = level;
    const className = cx('pt-1 font-semibold', HEADINGS[Math.min(2, level - outline.base)]);
    return createElement(`h${level}`, { className }, inner);
  }
}

const HEADINGS = ['text-lg', 'text-base', 'text-sm'];

// The nodes of a text have no identity beyond their position.
function keyed(children: readonly ReactNode[]): ReactNode {
  return children.length === 1 ? children[0] : createElement(Fragment, null, ...children);
}

const ADDRESS = /https?:\/\/[^\s<>"'()[\]]+/g;

/** The text, with its complete addresses as links. Not the parser's own detection, which is slow on some texts. */
function withLinks(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(ADDRESS)) {
    const address = found[0].replace(/[.,;:!?*_~]{1,9}$/, '');
    if (!safeHref(address)) continue;
    parts.push(text.slice(from, found.index), link(address, address));
    from = found.index + address.length;
  }
  parts.push(text.slice(from));
  return parts;
}

const TASK = /^\[([ xX])\] /;

/**
 * Whether the list item that opens at `index` is a task: true if done, false if not, null if it is no task. Removes the mark from the item's text.
 */
function taskOf(tokens: readonly Token[], index: number): boolean | null {
  if (tokens[index]?.type !== 'list_item_open') return null;
  const words = tokens[index + 2];
  const first = words?.type === 'inline' ? words.children?.[0] : undefined;
  const mark = first?.type === 'text' ? TASK.exec(first.content) : null;
  if (!first || !mark) return null;
  first.content = first.content.slice(mark[0].length);
  return mark[1] !== ' ';
}

function item(inner: ReactNode, task: boolean | null): ReactNode {
  return (
    <li className={cx(task !== null && '-ml-5 flex list-none gap-2')}>
      {task === null ? null : (
        <input type="checkbox" disabled checked={task} aria-label={task ? 'Fait' : 'À faire'} />
      )}
      <div className="min-w-0 space-y-1.5">{inner}</div>
    </li>
  );
}

function tablePart(token: Token, inner: ReactNode): ReactNode {
  const align = /text-align:(center|right)/.exec(token.attrGet('style') ?? '')?.[1];
  const cell = cx('px-3 py-1.5', { center: 'text-center', right: 'text-right' }[align ?? ''] ?? 'text-left');
  switch (token.type) {
    case 'table_open':
      return (
        <div
          tabIndex={0}
          role="region"
          aria-label="Tableau"
          className="overflow-x-auto rounded-md border border-line"
        >
          <table className="tabular w-full border-collapse text-sm">{inner}</table>
        </div>
      );
    case 'thead_open':
      return <thead className="bg-sunken">{inner}</thead>;
    case 'tbody_open':
      return <tbody className="divide-y divide-line">{inner}</tbody>;
    case 'tr_open':
      return <tr>{inner}</tr>;
    case 'th_open':
      return (
        <th scope="col" className={cx(cell, 'font-medium')}>
          {inner}
        </th>
      );
    case 'td_open':
      return <td className={cell}>{inner}</td>;
    default:
      return inner;
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
