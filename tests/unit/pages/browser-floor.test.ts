import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readImports } from '#tests/setup/sources/import-graph.ts';

const ROOT = new URL('../../../', import.meta.url);
const FIRST = 'instrumentation-client.ts';

/** What Safari 17.0 or Firefox 128 lack. A call with `?.`, or after a check of its own, does not match. */
const TOO_NEW = [
  /\b(?:Map|Object)\.groupBy\(/,
  /\bURL\.parse\(/,
  /\bPromise\.(?:withResolvers|try)\b/,
  /\bAbortSignal\.any\(/,
  /\brequestIdleCallback\b/,
  /\bscheduler\./,
  /\bIterator\./,
  /\.(?:keys|values|entries)\(\)\s*\.(?!next\b)\w/,
  /\.getOrInsert(?:Computed)?\(/,
  /\bRegExp\.escape\(/,
  /\.to(?:Base64|Hex)\(|\bUint8Array\.from(?:Base64|Hex)\(/,
  /\bIntl\.DurationFormat\b/,
  /\bstartViewTransition\b/,
  /\bscrollend\b/,
  /\.(?:checkVisibility|moveBefore)\(/,
  /\bwindow\.navigation\./,
  /\bnavigator\.userAgentData\b/,
];

const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
const says = (file: string, directive: string) =>
  new RegExp(`^(?:\\s|//.*\\n|/\\*[^]*?\\*/)*'${directive}'`).test(read(file));

/** Every file of ours of which something runs in a browser. */
function inBrowsers(): string[] {
  const imports = readImports(['app', 'lib']).filter(({ typeOnly }) => !typeOnly);
  const next = Map.groupBy(imports, ({ from }) => from);
  const open = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((file) =>
    says(file, 'use client'),
  );
  for (const [, file] of read(FIRST).matchAll(/from '#([^']+)'/g)) open.push(file as string);
  const seen = new Set([FIRST]);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    // Only the name of a server action reaches the browser.
    if (seen.has(file) || says(file, 'use server')) continue;
    seen.add(file);
    for (const { to } of next.get(file) ?? []) open.push(to);
  }
  return [...seen];
}

test('what browsers run calls nothing that Safari 17 or Firefox 128 do not have', () => {
  const files = inBrowsers();
  expect(files.length).toBeGreaterThan(300);
  expect(files).toContain('lib/http/security/return-path.ts');
  const found = files.flatMap((file) =>
    TOO_NEW.flatMap((pattern) => {
      const [call] = pattern.exec(read(file)) ?? [];
      return call === undefined ? [] : [`${file}: ${call}`];
    }),
  );
  expect(found).toEqual([]);
});

test('the bundler is told which browsers they are', () => {
  const { browserslist } = JSON.parse(read('package.json')) as { browserslist: string[] };
  expect(browserslist).toEqual(['chrome 111', 'edge 111', 'firefox 128', 'safari 16.4']);
});
