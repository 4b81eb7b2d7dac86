import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  givenSpaces,
  givenWithin,
  givesMore,
  reachedBy,
  reaches,
  reachOf,
  type SpaceRights,
} from '#lib/db/space-rights.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

/** Tables of what is in a Space, as Kysely, Prisma and SQL name them. */
const TABLES =
  /'(Space|Memory|MemoryRevision|MemoryProposal|ImportJob)( as \w+)?'|db\.(space|memory|memoryRevision|memoryProposal|importJob)\b|(?:from|FROM|join|JOIN|update|UPDATE|into|INTO) "(Space|Memory|MemoryRevision|MemoryProposal|ImportJob)"/;
const RULE = /#lib\/db\/space-rights\.ts'/;

/** Files that name one of these tables without checking the access, and why they may. */
const ASKS_NOTHING: Record<string, string> = {
  'lib/brain/bin/erase.ts': 'founders and nights alone erase',
  'lib/brain/context/rank-answers.ts': 'bodies of a Space that its caller was given to read',
  'lib/brain/memories/add-parts.ts': 'the Memory that it has just added',
  'lib/brain/memories/delete-memory.ts': 'what lockSubtree locked',
  'lib/brain/memories/insert-memory.ts': 'addMemory asked for the Space',
  'lib/brain/memories/revise.ts': 'what its statement changed',
  'lib/brain/neighbours.ts': 'beside Memories that were found: of the same Space',
  'lib/brain/proposals/purge-proposals.ts': 'the night',
  'lib/brain/spaces/create-space.ts': 'who was given some creates none',
  'lib/brain/spaces/change-space.ts': 'requireBrainWrite asked for the Space',
  'lib/brain/imports/import-drafts.ts': 'requireBrainWrite asked for the Space',
  'lib/brain/imports/import-space.ts': 'requireBrainWrite asked for the Space',
  'lib/brain/imports/known-memories.ts': 'requireBrainWrite asked for the Space',
  'lib/identity/audit/audit-names.ts': 'founders alone read the audit',
  'lib/storage/offboarding/sections.ts': 'founders alone export the account',
};

describe('the rule of Spaces', () => {
  test('is asked wherever a Space or what is in one is read, or the file says why not', async () => {
    const root = path.join(repositoryRoot, 'lib');
    const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const silent: string[] = [];
    for (const file of files) {
      if (/^(db|local)\/|\/schemas\//.test(file)) continue;
      const source = await readFile(path.join(root, file), 'utf8');
      if (TABLES.test(source) && !RULE.test(source)) silent.push(`lib/${file}`);
    }
    expect(silent.sort()).toEqual(Object.keys(ASKS_NOTHING).sort());
  });

  test('an access that is not given is none, and writing gives reading', () => {
    const spaces: SpaceRights = { a: 'read', b: 'write' };
    const given = (id: string) => [reaches({ spaces }, id), reaches({ spaces }, id, 'write')];
    expect(['a', 'b', 'c', 'constructor', '__proto__'].map(given)).toEqual([
      [true, false],
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
    expect([reaches({}, 'c'), reaches({}, 'c', 'write'), reaches({ spaces: {} }, 'a')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([reachedBy('id', { spaces }), reachedBy('id', {}), reachedBy('id', { spaces: {} })]).toEqual([
      { id: { in: ['a', 'b'] } },
      {},
      { id: { in: [] } },
    ]);
  });

  test('more is what was not given before', () => {
    const cases: [SpaceRights | null, SpaceRights | null, boolean][] = [
      [null, null, false],
      [null, { a: 'write' }, false],
      [{ a: 'write' }, null, true],
      [{ a: 'read' }, { a: 'write' }, true],
      [{ a: 'write' }, { a: 'read' }, false],
      [{ a: 'write' }, {}, false],
      [{}, { a: 'read' }, true],
    ];
    for (const [before, after, more] of cases)
      expect(givesMore(before, after), JSON.stringify([before, after])).toBe(more);
  });

  test('who was given some Spaces sees, of what another was given, those alone; who was given all sees all', () => {
    const given: SpaceRights = { a: 'read', b: 'write' };
    expect(givenWithin({}, given)).toEqual(given);
    expect(givenWithin({}, null)).toBeNull();
    expect(givenWithin({ spaces: { a: 'read' } }, null)).toBeNull();
    expect(givenWithin({ spaces: { b: 'read', c: 'write' } }, given)).toEqual({ b: 'write' });
    expect(givenWithin({ spaces: {} }, given)).toEqual({});
  });

  test('all is said by nothing: in the actor, and in the parameter of a statement', () => {
    expect([reachOf(null), reachOf({ a: 'read' })]).toEqual([{}, { spaces: { a: 'read' } }]);
    expect([givenSpaces({}), givenSpaces({ spaces: { a: 'read' } })]).toEqual([null, '{"a":"read"}']);
  });
});
