import { buffer, text as textFrom } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spaceJson } from '#lib/brain/export/json.ts';
import { spaceMarkdownFiles, spaceMarkdownZip } from '#lib/brain/export/markdown.ts';
import { readingOrderOf } from '#lib/brain/export/order.ts';
import type { ExportedFile, ExportedMemory, ExportedSpace, SpaceToExport } from '#lib/brain/export/types.ts';
import { readSpaceJson } from '#lib/brain/imports/parse/export-json.ts';
import { readZip } from '#lib/brain/imports/parse/zip.ts';
import { MAX_MEMORY_DEPTH } from '#lib/brain/limits.ts';
import { MEMORY_KINDS, MEMORY_SOURCES, PILLAR_ROLES, SPACE_TEMPLATES } from '#lib/brain/templates.ts';
import { readSpaceMarkdown } from './read-space-markdown.ts';

const PIECES = [
  '---\n',
  '---',
  '\r\n',
  '\n',
  '# Titre\n',
  'é',
  '👩‍👩‍👧',
  ': ',
  '"',
  "'",
  '\\',
  '\u2028',
  '\u0085',
  '\ufeff',
  '`',
  ' ',
  '\t',
  '{',
  'index',
  'README',
  '\u0001',
  'true',
  '~',
  '1e3',
  'null',
];
const text = (minLength: number, maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength, maxLength }),
      fc.array(fc.constantFrom(...PIECES), { minLength, maxLength }).map((all) => all.join('')),
    )
    .map((value) => value.replaceAll('\0', '').slice(0, 3000).toWellFormed() || 'x');
const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });

const exported: fc.Arbitrary<ExportedSpace> = fc
  .record({
    space: fc.record({
      id: fc.string(),
      name: text(1, 40),
      template: fc.constantFrom(...SPACE_TEMPLATES),
      websiteUrl: fc.option(fc.webUrl()),
      createdAt: date,
      updatedAt: date,
    }),
    specs: fc.array(
      fc.record({
        pillar: fc.constantFrom(...PILLAR_ROLES),
        kind: fc.constantFrom(...MEMORY_KINDS),
        source: fc.constantFrom(...MEMORY_SOURCES),
        title: text(1, 30).map((title) => title.slice(0, 200).toWellFormed().trim() || 'Titre'),
        body: text(1, 60),
        sourceRef: fc.option(text(1, 20)),
        file: fc.option(
          fc.record({ name: text(1, 10), contentType: fc.constant('text/plain'), bytes: fc.nat() }),
        ),
        createdAt: date,
        updatedAt: date,
        parent: fc.option(fc.nat()),
      }),
      { maxLength: 25 },
    ),
  })
  .map(({ space, specs }) => {
    const memories: (ExportedMemory & { depth: number })[] = [];
    for (const [i, { parent, ...spec }] of specs.entries()) {
      const candidates = memories.filter(({ pillar, depth }) => pillar === spec.pillar && depth < 16);
      const above = parent === null ? undefined : candidates[parent % Math.max(1, candidates.length)];
      memories.push({
        ...spec,
        id: `mem_${i}`,
        parentId: above?.id ?? null,
        depth: above ? above.depth + 1 : 0,
      });
    }
    return { space, memories: memories.map(({ depth: _, ...memory }) => memory) };
  });

const ordered = ({ space, memories }: ExportedSpace) => ({
  space,
  memories: readingOrderOf(memories).map(({ row }) => row),
});

/** As `exportSpace` gives it, with its texts apart. */
const toExport = ({ space, memories }: ExportedSpace): SpaceToExport => ({
  space,
  memories: memories.map(({ kind: _kind, title: _title, body: _body, updatedAt: _at, ...row }) => row),
  async readTexts(ids) {
    const wanted = new Set(ids);
    return new Map(memories.flatMap((one) => (wanted.has(one.id) ? [[one.id, one] as const] : [])));
  },
});

const textOf = (space: ExportedSpace) => textFrom(spaceJson(toExport(space)));
const zipOf = (space: ExportedSpace) => buffer(spaceMarkdownZip(toExport(space)));

it('gives back the same Space from its JSON', async () => {
  await fc.assert(
    fc.asyncProperty(exported, async (space) => {
      const json = await textOf(space);
      // The text of one object, not only one that reads alike.
      expect(json).toBe(`${JSON.stringify(JSON.parse(json), null, 2)}\n`);
      expect(readSpaceJson(json)).toEqual({ ok: true, ...ordered(space) });
      expect(await textOf(space)).toBe(json);
    }),
  );
});

it('gives back the same Space from its Markdown archive, whose bytes are always the same', async () => {
  await fc.assert(
    fc.asyncProperty(exported, async (space) => {
      const zip = await zipOf(space);
      const archive = await readZip(zip, {
        maxEntries: 10_000,
        maxEntryBytes: 2 ** 24,
        maxTotalBytes: 2 ** 27,
      });
      if (!archive.ok) throw new Error(archive.reason);
      expect(readSpaceMarkdown(archive.entries)).toEqual({ ok: true, ...ordered(space), refused: [] });
      expect(Buffer.compare(zip, await zipOf(space))).toBe(0);
    }),
    { numRuns: 300 },
  );
});

const AT = new Date('2026-01-02T03:04:05.678Z');
const memoryOf = (id: string, parentId: string | null, title: string): ExportedMemory => ({
  id,
  parentId,
  title,
  pillar: 'ITEMS',
  kind: 'ITEM',
  body: 'Texte',
  source: 'MANUAL',
  sourceRef: null,
  file: null,
  createdAt: AT,
  updatedAt: AT,
});

async function filesOf(memories: ExportedMemory[]): Promise<ExportedFile[]> {
  const files: ExportedFile[] = [];
  const marque = toExport({
    space: { id: 's', name: 'Marque', template: 'brand', websiteUrl: null, createdAt: AT, updatedAt: AT },
    memories,
  });
  for await (const file of spaceMarkdownFiles(marque)) files.push(file);
  return files;
}

it('writes no path that Windows does not open, however deep its Memories lie, and gives them back', async () => {
  const title = 'Tout ce que nous savons de nos clients, et ce que nous en ferons';
  const memories = Array.from({ length: MAX_MEMORY_DEPTH + 1 }, (_, depth) =>
    memoryOf(`m${depth}`, depth === 0 ? null : `m${depth - 1}`, title),
  );
  const files = await filesOf(memories);
  expect(files).toHaveLength(memories.length + 1);
  // What is left of 260 for the folder in which it is unpacked.
  for (const { path } of files) expect(path.length, path).toBeLessThan(200);
  expect(readSpaceMarkdown(files)).toMatchObject({ ok: true, memories, refused: [] });
});

it('writes one folder per pillar, and children in the folder of their parent', async () => {
  const files = await filesOf([memoryOf('a', null, 'L’offre d’été'), memoryOf('b', 'a', 'Prix / tarifs')]);
  expect(files.map(({ path }) => path)).toEqual([
    'espace.json',
    '4-items/0001-loffre-dété.md',
    '4-items/0001-loffre-dété/0001-prix-tarifs.md',
  ]);
  expect(new TextDecoder().decode(files[1]?.bytes)).toBe(
    '---\natelier: 1\nid: "a"\ntitle: "L’offre d’été"\npillar: ITEMS\nkind: ITEM\nsource: MANUAL\n' +
      'createdAt: 2026-01-02T03:04:05.678Z\nupdatedAt: 2026-01-02T03:04:05.678Z\n---\nTexte',
  );
});

it('refuses a JSON whose Memories nest in a circle, or in another pillar', () => {
  const at = new Date(0).toISOString();
  const memory = (id: string, parentId: string | null, pillar = 'ITEMS') => {
    const dates = { createdAt: at, updatedAt: at };
    return {
      id,
      parentId,
      pillar,
      kind: 'ITEM',
      title: id,
      body: 'x',
      source: 'API',
      sourceRef: null,
      file: null,
      ...dates,
    };
  };
  const space = { id: 's', name: 'n', template: 'app', websiteUrl: null, createdAt: at, updatedAt: at };
  const read = (...memories: unknown[]) =>
    readSpaceJson(JSON.stringify({ format: 'atelier.space', version: 1, space, memories })).ok;
  expect(read(memory('a', null), memory('b', 'a'))).toBe(true);
  expect(read(memory('a', 'b'), memory('b', 'a'))).toBe(false);
  expect(read(memory('a', null, 'PEOPLE'), memory('b', 'a'))).toBe(false);
  expect(read(memory('b', 'gone'))).toBe(false);
});

it('refuses a JSON that is not an export, or dated of no year, naming the field', () => {
  expect(readSpaceJson('{')).toMatchObject({ ok: false });
  expect(readSpaceJson('{"format":"other"}')).toMatchObject({ reason: expect.stringContaining('format') });
  const space = { id: 's', name: 'n', template: 'app', websiteUrl: null };
  const dated = (at: string) =>
    JSON.stringify({
      format: 'atelier.space',
      version: 1,
      space: { ...space, createdAt: at, updatedAt: at },
      memories: [],
    });
  expect(readSpaceJson(dated('0001-01-01T00:00:00Z'))).toMatchObject({ ok: true });
  expect(readSpaceJson(dated('0000-01-01T00:00:00Z'))).toMatchObject({
    reason: expect.stringContaining('space.createdAt'),
  });
});
