import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from '#app/_ui/text/markdown.tsx';

const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }));

/** Drawing never makes much more of a text than the text. */
function assertShort(markup: string): void {
  expect(markup.length).toBeLessThan(5_000_000);
}

test('a Memory of any size made of one sign after another is drawn in a time that grows with its length', () => {
  const pieces =
    '_a_ __|*a_|*|**a|~~a|`a|``|[|]|[](|![](|[a](|[a]: b\\n|<|<a b="|&amp|http://a.|https://a.b/(|www.a|a@b.|> |> a\\n|- a\\n|1) a\\n\\n|# a\\n|a\\n=\\n|a|\\n|-|\\n|```\\n| |\\n|<!--|- [ ] a\\n|a*b*|*_a~|[a]:\\n|!|> a\\nb\\n|  - a\\n    - b\\n'
      .split('|')
      .map((piece) => piece.replaceAll('\\n', '\n'));
  for (const piece of pieces.filter((one) => one !== '')) {
    const before = process.threadCpuUsage();
    assertShort(html(piece.repeat(Math.ceil(131_072 / piece.length))));
    const { user } = process.threadCpuUsage(before);
    expect(user / 1_000_000, JSON.stringify(piece)).toBeLessThan(3);
  }
});
