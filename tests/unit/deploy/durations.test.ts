import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

/** What makes a route slow: a file that it sends or receives, an outside service, a scheduled job, a paid call. */
const LASTS =
  /contentType: [^\n]*(?:zip|csv|mpeg|png|video|octet)|type: '(?:multipart|bytes)'|withScheduler|withCron|withMcp|runtime\/(?:studio|providers|files|run-later)|sendFile|readBlob/;
const LONGEST_SECONDS = 300;

const routes = globSync('app/**/route.ts', { cwd: repositoryRoot }).sort();
const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
const secondsOf = (file: string) => Number(/^export const maxDuration = (\d+);$/m.exec(read(file))?.[1]);

test('every route that lasts says how long it may, so that no platform cuts it at its own default', () => {
  expect(routes.length).toBeGreaterThan(40);
  const silent = routes.filter((file) => LASTS.test(read(file)) && !secondsOf(file));
  expect(silent).toEqual([]);
  for (const place of ['', '[id]/', 'variants/'])
    expect(secondsOf(`app/api/generations/${place}route.ts`)).toBe(LONGEST_SECONDS);
  // Other routes that ask for a generation may last as long.
  for (const other of ['v1/generations', 'mcp'])
    expect(secondsOf(`app/api/${other}/route.ts`), other).toBe(LONGEST_SECONDS);
});

/** A page and all our files that it imports, because its server actions run in the page's function. */
function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, from, late] of read(file).matchAll(/from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)/g)) {
    const name = from ?? late ?? '';
    const place = name.startsWith('#app/')
      ? name.slice(1)
      : name.startsWith('.')
        ? path.posix.join(path.posix.dirname(file), name)
        : '';
    if (/\.tsx?$/.test(place) && existsSync(path.join(repositoryRoot, place))) closureOf(place, found);
  }
  return found;
}

test('every page whose actions last says how long they may: an action runs in the function of the page that it is pressed on', () => {
  const pages = globSync('app/**/page.tsx', { cwd: repositoryRoot }).sort();
  const lasting = pages.filter((page) =>
    [...closureOf(page)].some((file) => read(file).startsWith("'use server'") && LASTS.test(read(file))),
  );
  expect(lasting.length).toBeGreaterThan(5);
  expect(lasting.filter((page) => !(secondsOf(page) > 0 && secondsOf(page) <= LONGEST_SECONDS))).toEqual([]);
});

test('no route asks for longer than the plans of the platform give, and none only as a comment', () => {
  const declared = routes.filter((file) => read(file).includes('maxDuration'));
  expect(declared.length).toBeGreaterThan(15);
  expect(
    declared.filter((file) => {
      const seconds = secondsOf(file);
      return !(seconds > 0 && seconds <= LONGEST_SECONDS);
    }),
  ).toEqual([]);
});

test('vercel.json repeats no duration otherwise than the route itself says it', () => {
  const { functions } = JSON.parse(read('vercel.json')) as {
    functions?: Record<string, { maxDuration: number }>;
  };
  const other = Object.entries(functions ?? {}).flatMap(([pattern, { maxDuration }]) => {
    const files = globSync(pattern, { cwd: repositoryRoot });
    if (files.length === 0) return [`${pattern} is no file`];
    return files.filter((file) => secondsOf(file) !== maxDuration);
  });
  expect(other).toEqual([]);
});
