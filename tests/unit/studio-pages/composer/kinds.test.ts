import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KINDS } from '#app/_studio/composer/draft/draft.ts';
import { EDIT_CASE, TRANSPARENT_CASE, UPSCALE_CASE } from '#app/_studio/composer/draft/roles.ts';
import { IMAGE_CASES } from '#lib/providers/models/catalogue.ts';
import { generationRequest } from '#lib/studio/request.ts';

test('« Créer » offers every kind of generation that a request can ask for', () => {
  const asked: string[] = generationRequest.options.map(({ shape }) => shape.kind.value);
  expect([...KINDS]).toEqual(asked);
  const composer = readFileSync('app/_studio/composer/composer.tsx', 'utf8');
  const labelled = [...composer.matchAll(/\{ value: '(\w+)', label: '/g)].map(([, kind]) => kind);
  expect(labelled).toEqual(asked);
});

test('« Créer » offers every image that a request can ask for', () => {
  const source = readFileSync('app/_studio/composer/fields/kinds/image-fields.tsx', 'utf8');
  const named: Record<string, string> = { TRANSPARENT_CASE, EDIT_CASE, UPSCALE_CASE };
  const [, list = ''] = /options=\{\[([^\]]*)\]\}/.exec(source) ?? [];
  const offered = list.split(', ').map((one) => named[one] ?? one.replaceAll("'", ''));
  expect(offered).toEqual([...IMAGE_CASES]);
});
