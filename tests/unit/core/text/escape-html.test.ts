import { expect, test } from 'vitest';
import { escapeHtml } from '#lib/core/text/escape-html.ts';

test('what would be markup is written out, in an element as in an attribute of either quote', () => {
  expect(escapeHtml(`<a href="x" title='y'>& l’été`)).toBe(
    '&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38; l’été',
  );
});
