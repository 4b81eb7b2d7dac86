import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Diff } from '#app/_ui/text/diff.tsx';

const drawn = (before: string, after: string) => renderToStaticMarkup(createElement(Diff, { before, after }));
const changed = (before: string, after: string) =>
  [...drawn(before, after).matchAll(/<(ins|del) /g)].map(([, kind]) => kind);

test('a text that a program stored with other line ends is compared by what one sees of it', () => {
  expect(changed('Un.\nDeux.\nTrois.', 'Un.\nDeux, puis.\nTrois.')).toEqual(['del', 'ins']);
  expect(changed('Un.\r\nDeux.\r\nTrois.', 'Un.\nDeux, puis.\nTrois.')).toEqual(['del', 'ins']);
  expect(drawn('Un.\r\nDeux.\r\n', 'Un.\nDeux.\n')).toContain('Les deux versions sont identiques.');
});
