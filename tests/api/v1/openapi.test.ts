import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { GET } from '#app/api/v1/openapi.json/route.ts';
import { ERROR_CATALOG } from '#lib/core/errors.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { useApi } from '#tests/setup/api.ts';

useApi();

async function readDocument() {
  const answer = GET(new Request('http://atelier.test/api/v1/openapi.json'));
  return (await answer.json()) as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { responses: Record<string, { description: string }>; security: object[] }>
    >;
  };
}

test('every route of /api/v1 is in the document, with the methods that it serves, and nothing else', async () => {
  const document = await readDocument();
  const root = path.join(repositoryRoot, 'app/api/v1');
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('route.ts'));
  const routes = files
    .map((file) => `/${path.dirname(file).split(path.sep).join('/')}`.replace(/\[(\w+)\]/g, '{$1}'))
    .filter((route) => !route.includes('openapi.json') && !route.includes('[...'));
  expect(Object.keys(document.paths).sort()).toEqual(routes.sort());
  expect(document.openapi).toMatch(/^3\.1/);
});

test('every operation names its success, its refusals with their French sentence, and who may call it', async () => {
  const document = await readDocument();
  const described = new Set<string>();
  for (const [route, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const statuses = Object.keys(operation.responses);
      expect(statuses, `${method} ${route}`).toEqual(
        expect.arrayContaining(['200', '401', '403', '429', '500']),
      );
      expect(operation.security.length).toBe(route === '/projects' ? 1 : 2);
      for (const { description } of Object.values(operation.responses))
        for (const [, code] of description.matchAll(/`([a-z_]+)` :/g)) described.add(code as string);
    }
  const spec = [
    'pillar_invalid',
    'invalid_api_key',
    'capacity_full',
    'insufficient_scope',
    'not_found',
    'idempotency_conflict',
    'payload_too_large',
    'rate_limited',
  ];
  expect([...described]).toEqual(expect.arrayContaining(spec));
  for (const code of described) expect(Object.keys(ERROR_CATALOG)).toContain(code);
});
