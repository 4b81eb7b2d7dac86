import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Markdown, safeHref } from '#app/_ui/text/markdown.tsx';

const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

const ALLOWED_TAGS = new Set(
  'div p h3 h4 h5 h6 blockquote ul ol li input pre code hr table thead tbody tr th td strong em s br a'.split(
    ' ',
  ),
);

function assertSafe(markup: string): void {
  for (const [, tag] of markup.matchAll(/<\/?([a-z][a-z0-9]*)/gi))
    expect(ALLOWED_TAGS).toContain(tag?.toLowerCase());
  for (const [tag] of markup.matchAll(/<[a-z][^>]*>/gi)) {
    expect(tag).not.toMatch(/\s(on\w+|style|src|srcset|action|formaction)=/i);
    const href = /\shref="([^"]*)"/.exec(tag)?.[1];
    if (href !== undefined) {
      expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      expect(tag).toContain('rel="noopener noreferrer nofollow"');
    }
  }
}

const ATTACKS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'du texte <b onmouseover="alert(1)">gras</b> en ligne',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<style>*{background:url(https://evil.example/x)}</style>',
  '<!-- --><base href="https://evil.example/">',
  '<details open ontoggle=alert(1)>',
  '[clic](javascript:alert(1))',
  '[clic](JaVaScRiPt:alert(1))',
  '[clic](java\tscript:alert(1))',
  '[clic](java&#x0A;script:alert(1))',
  '[clic](&#106;avascript:alert(1))',
  '[clic](\u0001javascript:alert(1))',
  '[clic](<javascript:alert(1)>)',
  '[clic](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[clic](vbscript:msgbox(1))',
  '[clic](//evil.example/x)',
  '[clic](/api/v1/spaces)',
  '[clic](https://banque.example@evil.example/)',
  '[clic](https://evil.example/" onclick="alert(1))',
  '[clic][ref]\n\n[ref]: javascript:alert(1) "titre"',
  '<javascript:alert(1)>',
  '![pixel](https://evil.example/pixel.gif)',
  '![x](javascript:alert(1))',
  '![x"onerror="alert(1)](https://evil.example/x)',
  '```html"onload="alert(1)\n<script>alert(1)</script>\n```',
  '| a |\n|---|\n| <script>alert(1)</script> |',
  '- [x] <script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

describe('Markdown', () => {
  test.each(ATTACKS)('shows %j without giving it any power', (attack) => {
    const markup = html(attack);
    assertSafe(markup);
    expect(markup).not.toMatch(/<script|<img|<svg|<iframe|<style|<base/i);
  });

  test('any text at all renders only allowed elements, and never throws', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '[',
        ']',
        '(',
        ')',
        '!',
        '`',
        '*',
        '_',
        '\n',
        '    ',
        '| ',
        '> ',
        '- ',
        '# ',
        '&',
        ';',
      ),
      fc.constantFrom(...ATTACKS),
      fc.string({ maxLength: 8, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => assertSafe(html(pieces.join('')))),
      { numRuns: 300 },
    );
  });

  test.each([
    ['quotes', '>'.repeat(20_000)],
    ['lists', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['stars', '*'.repeat(60_000)],
    ['brackets', '['.repeat(20_000)],
    ['images', '!['.repeat(10_000)],
    ['backticks', '`'.repeat(60_000)],
    ['emphasis', '*a _b '.repeat(5_000)],
    ['a table row', `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}`],
  ])('a text made of %s renders without failing', (_, text) => {
    assertSafe(html(text));
  });

  test('what follows ten thousand elements, or is nested past reading, is shown as it was written', () => {
    const long = html('- un\n'.repeat(20_000));
    expect(long).not.toContain('<li');
    expect(long.match(/- un/g)).toHaveLength(20_000);
    const parts = html(`${'un\n\n'.repeat(3_000)}**fin**`);
    expect(parts.match(/<p>un<\/p>/g)?.length).toBeGreaterThan(2_000);
    expect(parts.match(/un/g)).toHaveLength(3_000);
    expect(parts).toContain('**fin**');
    expect(html(`${'> '.repeat(30)}fond`)).toContain('&gt; &gt;');
  });

  test('the marks that people use are drawn', () => {
    expect(html('**a** *b* ~~c~~ `d` [e](https://example.com/é?x=1)\nf')).toBe(
      '<div class="wrap-anywhere min-w-0 space-y-3 leading-relaxed"><p><strong class="font-semibold">a</strong> <em>b</em> <s>c</s> <code class="rounded-[3px] bg-sunken px-1 py-0.5 font-mono text-[0.9em]">d</code> <a href="https://example.com/%C3%A9?x=1" target="_blank" rel="noopener noreferrer nofollow" class="text-accent-ink underline decoration-accent-ink/40 underline-offset-2 hover:decoration-current">e</a><br/>f</p></div>',
    );
    const list = html('1. un\n2. deux\n\n- [x] fait\n- [ ] à faire\n\n| A | B |\n|:-:|--:|\n| 1 | 2 |');
    expect(list).toMatch(/<ol start="1".*<li.*un.*<ul.*aria-label="Fait".*fait.*aria-label="À faire"/);
    expect(list).toMatch(/<th scope="col" class="px-3 py-1.5 text-center font-medium">A<\/th>/);
    expect(list).toMatch(/<td class="px-3 py-1.5 text-right">2<\/td>/);
    expect(html('> a\n\n```js\nx = 1\n```\n\n---\n\nhttps://example.com/a')).toMatch(
      /<blockquote.*<code>x = 1<\/code>.*<hr.*<a href="https:\/\/example.com\/a"/s,
    );
  });

  test('an outside image becomes a link with its caption: nothing is fetched', () => {
    expect(html('![Vitrine](https://example.com/v.png)')).toContain('Image\u00a0: Vitrine</a>');
  });

  test('headings continue the outline of the page and skip no level', () => {
    const levels = (text: string) => [...html(text).matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    expect(levels('# Un\n\n## Deux\n\n###### Six\n\n# Un')).toEqual([3, 4, 5, 3]);
    expect(levels('### Trois\n\n#### Quatre\n\n### Trois')).toEqual([3, 4, 3]);
  });

  test('entities read as characters, once', () => {
    expect(html('Fil &amp; Lin, R&#38;D, &amp;lt;b&amp;gt;')).toContain(
      'Fil &amp; Lin, R&amp;D, &amp;lt;b&amp;gt;',
    );
  });

  test('only complete http, https and mailto addresses are kept', () => {
    expect(safeHref('https://example.com/a?b=c#d')).toBe('https://example.com/a?b=c#d');
    expect(safeHref('mailto:a@example.com')).toBe('mailto:a@example.com');
    for (const bad of ['ftp://example.com', 'https:example.com', '#ancre', '../x', '', 'tel:+33', 'https://'])
      expect(safeHref(bad)).toBeNull();
  });
});
