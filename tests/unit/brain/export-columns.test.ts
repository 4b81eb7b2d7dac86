import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spaceJson } from '#lib/brain/export/json.ts';

/** The columns that the export of a Space leaves out, and why. */
const LEFT_OUT: Record<'Memory' | 'Space', Record<string, string>> = {
  Memory: {
    accountId: 'whose export it is',
    spaceId: 'the Space beside it in the file',
    depth: 'follows from its parent',
    hasInvisible: 'follows from its text',
    cu: 'follows from its text',
    version: 'counts changes made here',
    deletedAt: 'what was deleted does not leave',
    deletionId: 'what was deleted does not leave',
    importKey: 'means something in this database alone',
    importedHash: 'means something in this database alone',
    idempotencyKey: 'means something in this database alone',
    idempotencyFingerprint: 'means something in this database alone',
  },
  Space: {
    accountId: 'whose export it is',
    cu: 'the sum of its Memories',
    memories: 'the number of its Memories',
    version: 'counts changes made here',
    archivedAt: 'a state of this service, not of what is known',
  },
};

const schema = readFileSync('prisma/schema/brain.prisma', 'utf8');
const TYPES = new Set([
  'String',
  'Int',
  'BigInt',
  'Boolean',
  'DateTime',
  'Json',
  'Bytes',
  ...[...schema.matchAll(/^enum (\w+)/gm)].map(([, name]) => name as string),
]);

/** The columns of a model: its fields without the relations. */
function columnsOf(model: string): string[] {
  const [, body = ''] = new RegExp(`^model ${model} \\{\\n([\\s\\S]*?)^\\}`, 'm').exec(schema) ?? [];
  return [...body.matchAll(/^ {2}(\w+) +(\w+)/gm)].flatMap(([, name, type]) =>
    name && type && TYPES.has(type) ? [name] : [],
  );
}

const at = new Date('2026-11-21T09:30:00.000Z');

test('the export of a Space holds every column of it and of its Memories, but those that are listed with their reason', async () => {
  const pieces = spaceJson({
    space: { id: 's', name: 'Marque', template: 'brand', websiteUrl: null, createdAt: at, updatedAt: at },
    memories: [
      {
        id: 'm',
        pillar: 'IDENTITY',
        parentId: null,
        source: 'MANUAL',
        sourceRef: null,
        file: null,
        createdAt: at,
      },
    ],
    readTexts: async (ids) =>
      new Map(ids.map((id) => [id, { kind: 'NOTE' as const, title: 'Ton', body: 'Calme.', updatedAt: at }])),
  });
  let text = '';
  for await (const piece of pieces) text += piece;
  const { space, memories } = JSON.parse(text) as { space: object; memories: object[] };
  const exported = { Space: Object.keys(space), Memory: Object.keys(memories[0] ?? {}) };
  for (const model of ['Memory', 'Space'] as const) {
    const columns = columnsOf(model);
    expect(columns.length).toBeGreaterThan(10);
    expect(Object.keys(LEFT_OUT[model]).filter((name) => !columns.includes(name))).toEqual([]);
    const kept = columns
      .filter((name) => !(name in LEFT_OUT[model]))
      // A role is called a pillar outside of the database.
      .map((name) => (name === 'role' ? 'pillar' : name));
    expect(exported[model].sort()).toEqual(kept.sort());
  }
});
