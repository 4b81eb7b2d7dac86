import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CodeForm } from '#app/_ui/form/code-form.tsx';
import { Textarea } from '#app/_ui/form/input.tsx';
import { IDLE } from '#lib/http/actions/action-state.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(encodeURI(file), ROOT), 'utf8');

/** Every component, except those of the style guide. */
const COMPONENTS = globSync('app/**/*.tsx', { cwd: ROOT })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.startsWith('app/apercu/'))
  .map((file) => ({ file, text: read(file) }));

/** Opening tags, whose attributes may contain functions. */
const TAGS = COMPONENTS.flatMap(({ file, text }) =>
  [...text.matchAll(/<[A-Za-z][\w.]*\b(?:=>|[^>])*>/g)].map(([tag]) => ({ at: `${file}: ${tag}`, tag })),
);

/** The rules of a style sheet between the braces after these words. */
function within(css: string, words: string): string {
  const start = css.indexOf('{', css.indexOf(words));
  let depth = 0;
  for (let at = start; at < css.length; at += 1) {
    if (css[at] === '{') depth += 1;
    if (css[at] === '}') depth -= 1;
    if (depth === 0) return css.slice(start + 1, at);
  }
  return '';
}

describe('what has the focus shows it', () => {
  test('whatever the tab key stops at keeps its outline, a place that scrolls too', () => {
    const stops = TAGS.filter(({ tag }) => tag.includes('tabIndex={0}'));
    expect(stops.length).toBeGreaterThan(5);
    expect(stops.filter(({ tag }) => tag.includes('outline-none')).map(({ at }) => at)).toEqual([]);
  });

  test('the line that Enter takes in a menu or in the palette has an outline: a pale ground is 1.2:1', () => {
    const rowOf = (file: string) => / ROW =\s*'([^']+)'/.exec(read(file))?.[1] ?? '';
    const menu = rowOf('app/_ui/action/menu-panel.tsx');
    expect(menu).toContain('data-highlighted:');
    expect(menu).not.toContain('outline-none');
    expect(rowOf('app/_ui/shell/palette/palette.tsx')).toContain(
      'data-[selected=true]:outline data-[selected=true]:outline-line-strong',
    );
  });

  test('within a strip that scrolls sideways the outline stands inside, where nothing cuts it off', () => {
    const strip = '.overflow-x-auto :is(a, button, [tabindex]):focus-visible';
    expect(within(read('app/globals.css'), strip)).toContain('outline-offset: -2px');
  });
});

describe('what is chosen shows it', () => {
  test('at 3:1 on a filter and on one of several choices, not by a shade alone', () => {
    const css = read('app/_ui/styles/controls.css');
    expect(within(within(css, '.chip {'), '&[aria-current]')).toContain('border-color: currentColor');
    expect(within(within(css, '.segment {'), '&:has(:checked)')).toContain('var(--color-line-strong)');
  });

  test('with the colours of the reader’s own, which take every ground away', () => {
    const css = within(read('app/_ui/styles/contrast.css'), '@media (forced-colors: active)');
    for (const told of [
      ':is(nav a, .phone-item, .memory-rows a)[aria-current]',
      '[role="tab"][aria-selected="true"]',
      'label:has(> [type="radio"]:checked)',
      '[role="switch"]:checked',
      '[role="progressbar"] > div',
      '[role="meter"]::before',
    ])
      expect(css).toContain(told);
  });
});

describe('what is read out', () => {
  test('a picture is told in a few words, not by a request of 8,000 characters', () => {
    const alts = COMPONENTS.flatMap(({ file, text }) =>
      text
        .split('\n')
        .filter((line) => /\balt=\{/.test(line) && /title/i.test(line))
        .map((line) => ({ at: `${file}: ${line.trim()}`, line })),
    );
    expect(alts.length).toBeGreaterThan(3);
    expect(alts.filter(({ line }) => !line.includes('shortTitle(')).map(({ at }) => at)).toEqual([]);
    expect(read('app/_studio/detail/delivered.tsx')).toContain('const heard = shortTitle(title);');
    expect(read('app/_studio/lightbox/lightbox.tsx')).toMatch(/const words = \[\s*shortTitle\(row\.title\),/);
  });

  test('a code that leaves by itself says so before it does', () => {
    const html = renderToStaticMarkup(
      createElement(CodeForm, { action: async () => IDLE, submit: 'Confirmer' }),
    );
    const described = /<input[^>]* aria-describedby="([^"]+)"/.exec(html)?.[1];
    expect(html).toContain(`id="${described}"`);
    expect(html.split(`id="${described}"`)[1]).toContain('Il part de lui-même au sixième chiffre.');
  });

  test('a text that has become too long is said at once, and one within its room says nothing', () => {
    const drawn = (text: string) =>
      renderToStaticMarkup(createElement(Textarea, { maxLength: 3, defaultValue: text }));
    expect(drawn('long')).toMatch(/role="alert"[^>]*> · trop long</);
    expect(drawn('mot')).not.toContain('role="alert"');
  });

  test('how many rows a filter leaves is said, in the journal as in the search', () => {
    for (const page of ['app/(cockpit)/journal/page.tsx', 'app/(cockpit)/recherche/page.tsx'])
      expect(read(page)).toContain('role="status"');
  });
});

test('a link within a sentence is told from it by more than its colour', () => {
  const inSentences = COMPONENTS.flatMap(({ file, text }) =>
    [...text.matchAll(/\{' '\}\s*(<(?:Link|a|button)\b(?:=>|[^>])*>)/g)].map(([, tag = '']) => ({
      at: `${file}: ${tag}`,
      tag,
    })),
  );
  expect(inSentences.length).toBeGreaterThan(3);
  expect(inSentences.filter(({ tag }) => tag.includes('hover:underline')).map(({ at }) => at)).toEqual([]);
});

test('a phone writes no capital at the head of an address', () => {
  const addresses = TAGS.filter(({ tag }) => /inputMode="(?:url|email)"|placeholder="https:/.test(tag));
  expect(addresses.length).toBeGreaterThan(4);
  const capital = addresses.filter(({ tag }) => !/type="(?:url|email)"|autoCapitalize="none"/.test(tag));
  expect(capital.map(({ at }) => at)).toEqual([]);
});

test('a pointer can go onto a tooltip: what stands around it is as wide as the gap', () => {
  const tooltips = read('app/_ui/overlay/tooltips.tsx');
  const gap = Number(/const GAP = (\d+);/.exec(tooltips)?.[1]);
  const around = 4 * Number(/before:-inset-y-([\d.]+)/.exec(tooltips)?.[1]);
  expect(around).toBeGreaterThanOrEqual(gap);
});
