import { expect, it } from 'vitest';
import { MAX_MEMORY_DEPTH } from '#lib/brain/limits.ts';
import { refusalOfParent } from '#lib/brain/memories/refusal-of-parent.ts';

const parent = { spaceId: 'spc_a', role: 'KNOWLEDGE', depth: 0 } as const;
const place = { spaceId: 'spc_a', pillar: 'KNOWLEDGE', height: 0 } as const;

it('a Memory is nested under one of its Space and pillar, as long as what it holds stays within the levels', () => {
  expect(refusalOfParent(parent, place)).toBeNull();
  expect(refusalOfParent(parent, { ...place, spaceId: 'spc_b' })).toMatch(/autre espace/);
  expect(refusalOfParent(parent, { ...place, pillar: 'ITEMS' })).toMatch(/autre pilier/);
  const deepest = { ...parent, depth: MAX_MEMORY_DEPTH - 1 };
  expect(refusalOfParent(deepest, place)).toBeNull();
  expect(refusalOfParent(deepest, { ...place, height: 1 })).toMatch(/16 niveaux/);
  expect(refusalOfParent({ ...parent, depth: MAX_MEMORY_DEPTH }, place)).toMatch(/16 niveaux/);
});
