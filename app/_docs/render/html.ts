import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '#lib/core/text/escape-html.ts';
import { highlight } from './highlight.ts';

/** Our own words, written in the repository: they need no guard but this one, that raw HTML is no part of them. */
const reader = new MarkdownIt({ html: false });
const { rules } = reader.renderer;

rules.table_open = () => '<div class="doc-table" role="group" aria-label="Tableau" tabindex="0"><table>';
rules.table_close = () => '</table></div>';
rules.th_open = () => '<th scope="col">';
const plainLink =
  rules.link_open ?? ((tokens, at, options, _env, self) => self.renderToken(tokens, at, options));
rules.link_open = (tokens, at, options, env, self) => {
  const token = tokens[at] as Token;
  if (/^https?:/.test(token.attrGet('href') ?? '')) token.attrSet('rel', 'noopener');
  return plainLink(tokens, at, options, env, self);
};

/**
 * A section's Markdown as HTML. Fences that follow each other become one block with a choice of languages; a table under
 * a title in bold that tells an answer is folded. `id` makes the names of its controls unique on the page.
 */
export function htmlOf(text: string, id: string): string {
  const tokens = reader.parse(text, {});
  let html = '';
  let blocks = 0;
  for (let at = 0; at < tokens.length; ) {
    const fences = tokens.slice(at).findIndex(({ type }) => type !== 'fence');
    const run = fences === -1 ? tokens.length - at : fences;
    if (run > 0) {
      html += codeBlock(tokens.slice(at, at + run), `${id}-${blocks}`);
      blocks += 1;
      at += run;
      continue;
    }
    const end = endOfBlock(tokens, at);
    const title = titleOf(tokens, at);
    if (title?.startsWith('Réponse') && tokens[end]?.type === 'table_open') {
      const last = endOfBlock(tokens, end);
      html += `<details><summary>${escapeHtml(title)}</summary>${render(tokens.slice(end, last))}</details>`;
      at = last;
    } else {
      html += render(tokens.slice(at, end));
      at = end;
    }
  }
  return html;
}

const render = (tokens: Token[]) => reader.renderer.render(tokens, reader.options, {});

/** The place after the block that opens at `at`. */
function endOfBlock(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let place = at; place < tokens.length; place += 1) {
    depth += tokens[place]?.nesting ?? 0;
    if (depth === 0) return place + 1;
  }
  return tokens.length;
}

/** The words of a paragraph that is all in bold. */
function titleOf(tokens: readonly Token[], at: number): string | null {
  const words = tokens[at]?.type === 'paragraph_open' ? tokens[at + 1]?.content : undefined;
  return words ? (/^\*\*([^*]+)\*\*$/.exec(words)?.[1] ?? null) : null;
}

/** Pieces of code with a choice between them that needs no script, and a button that copies the one in view. */
function codeBlock(fences: readonly Token[], id: string): string {
  const pieces = fences.map(({ info, content }) => {
    const [language = 'text', ...label] = info.split(' ');
    return { language, label: label.join(' ') || language, code: content.replace(/\n$/, '') };
  });
  const choices = pieces.map(({ label }, index) =>
    pieces.length === 1
      ? `<span>${escapeHtml(label)}</span>`
      : `<label><input type="radio" name="${id}" value="${escapeHtml(label)}"${index === 0 ? ' checked' : ''}>${escapeHtml(label)}</label>`,
  );
  const codes = pieces.map(
    ({ language, label, code }) =>
      `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${highlight(code, language)}</code></pre>`,
  );
  return `<div class="doc-code" role="group" aria-label="Exemple"><div>${choices.join('')}<button type="button" data-copy>Copier</button></div>${codes.join('')}</div>`;
}
