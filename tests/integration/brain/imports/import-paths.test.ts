import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { spaceJson } from '#lib/brain/export/json.ts';
import { spaceMarkdownZip } from '#lib/brain/export/markdown.ts';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import { zipOfTexts } from '#tests/factories/files/import-zip.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const encode = (content: string) => new TextEncoder().encode(content);

type Sent = readonly [name: string, content: string | Uint8Array];
type Place = Awaited<ReturnType<typeof setting>>;

async function setting() {
  const { account, actor } = await makeAccount(service, { capacityCu: 10_000 });
  const space = await makeSpace(service, account.id);
  return { account, space, ctx: testContext(service, actor) };
}

async function begin({ space, ctx }: Place, files: readonly Sent[]): Promise<{ jobId: string }> {
  const uploaded = files.map(([name, content]) => ({
    name,
    bytes: typeof content === 'string' ? encode(content) : content,
  }));
  const read = await readUpload(uploaded, { pillar: 'KNOWLEDGE' });
  return startImport(ctx, { spaceId: space.id, label: 'essai', source: 'UPLOAD', ...read });
}

async function bring(place: Place, ...files: Sent[]) {
  const { jobId } = await begin(place, files);
  await runImport(place.ctx, { jobId });
  return getImport(place.ctx, { jobId });
}

/** What the live Memories say, each by its identifier. */
async function memories({ space }: Place): Promise<Map<string, string>> {
  const rows = await service.db.memory.findMany({ where: { spaceId: space.id, deletedAt: null } });
  return new Map(rows.map(({ id, body }) => [id, body]));
}
const bodies = async (place: Place) => [...(await memories(place)).values()].sort();
const idOf = async (place: Place, said: string) =>
  [...(await memories(place))].find(([, body]) => body === said)?.[0] ?? 'none';
const edit = ({ ctx }: Place, memoryId: string, title: string, body: string) =>
  updateMemory(ctx, { memoryId, expectedVersion: null, title, body });

const PAGE = (n: number) => String(n).repeat(32).slice(0, 32);
const NOTHING_NEW = { created: 0, updated: 0, refused: [] };
const OTHER_REPLACED = 'Un fichier importé auparavant sous ce chemin disait tout autre chose';

describe('two files whose paths are one, or nearly', () => {
  it.each<[string, () => Promise<Sent[]>]>([
    [
      'two entries of one name in an archive',
      async () => [
        [
          'a.zip',
          await zipOfTexts([
            ['n.md', 'Un.'],
            ['n.md', 'Deux.'],
          ]),
        ],
      ],
    ],
    [
      'two archives with the same paths',
      async () => [
        ['a.zip', await zipOfTexts([['docs/n.md', 'Un.']])],
        ['b.zip', await zipOfTexts([['docs/n.md', 'Deux.']])],
      ],
    ],
    [
      'two files sent under one path',
      async () => [
        ['Notes/n.md', 'Un.'],
        ['Notes/n.md', 'Deux.'],
      ],
    ],
    [
      'paths that differ by case',
      async () => [
        ['N.md', 'Un.'],
        ['n.md', 'Deux.'],
      ],
    ],
    [
      'paths that differ by the writing of an accent',
      async () => [
        ['été.md', 'Un.'],
        ['e\u0301te\u0301.md', 'Deux.'],
      ],
    ],
    [
      'a text and a Word document of one title',
      async () => [
        ['page.md', 'Un.'],
        ['page.docx', makeDocx(paragraph('Deux.'))],
      ],
    ],
    [
      'pages of Notion that differ by their identifier alone',
      async () => [
        [`Page ${PAGE(1)}.md`, 'Un.'],
        [`Page ${PAGE(2)}.md`, 'Deux.'],
      ],
    ],
    [
      'titles that agree in all that a title holds',
      async () => [
        [`${'long '.repeat(45)}a.md`, 'Un.'],
        [`${'long '.repeat(45)}b.md`, 'Deux.'],
      ],
    ],
    [
      'a backslash in place of a slash',
      async () => [
        [
          'a.zip',
          await zipOfTexts([
            ['a/n.md', 'Un.'],
            ['a\\n.md', 'Deux.'],
          ]),
        ],
      ],
    ],
  ])('%s: each is a Memory, which the same files find again, edited since or not', async (_, made) => {
    const place = await setting();
    const files = await made();
    expect(await bring(place, ...files)).toMatchObject({ created: 2, updated: 0, refused: [] });
    expect(await bodies(place)).toEqual(['Deux.', 'Un.']);
    const before = await memories(place);
    expect(await bring(place, ...files)).toMatchObject({ ...NOTHING_NEW, unchanged: 2 });
    expect(await memories(place)).toEqual(before);
    await edit(place, await idOf(place, 'Un.'), 'Titre', 'Un, repris.');
    expect(await bring(place, ...files)).toMatchObject({ ...NOTHING_NEW, unchanged: 2 });
    expect(await bodies(place)).toEqual(['Deux.', 'Un, repris.']);
  });
});

describe('a file whose path became another way to write it', () => {
  it.each([
    ['its case', 'Guides/Ton.md', 'guides/ton.MD'],
    ['its accents, as another system writes them', 'Été/Voix é.md', 'E\u0301te\u0301/Voix e\u0301.md'],
  ])('by %s alone is the same Memory, and an edit of it stays', async (_, first, second) => {
    const place = await setting();
    await bring(place, [first, '# Ton\n\nCalme.']);
    const id = await idOf(place, 'Calme.');
    await edit(place, id, 'Ton', 'Calme, toujours.');
    for (const path of [second, second, first])
      expect(await bring(place, [path, '# Ton\n\nCalme.'])).toMatchObject({ ...NOTHING_NEW, unchanged: 1 });
    expect(await memories(place)).toEqual(new Map([[id, 'Calme, toujours.']]));
    expect(await bring(place, [second, '# Ton\n\nPosé.'])).toMatchObject({ created: 0, updated: 1 });
    expect(await memories(place)).toEqual(new Map([[id, 'Posé.']]));
  });

  it('is not taken for its neighbour: what came beside it is written beside it', async () => {
    const place = await setting();
    await bring(place, ['A.md', 'Un.']);
    const id = await idOf(place, 'Un.');
    expect(await bring(place, ['A.md', 'Un.'], ['a.md', 'Deux.'])).toMatchObject({
      created: 1,
      unchanged: 1,
    });
    const both = await memories(place);
    expect(both.get(id)).toBe('Un.');
    // Where the Space has both, a third writing is the one that says the same.
    expect(await bring(place, ['a.MD', 'Deux.'])).toMatchObject({ ...NOTHING_NEW, unchanged: 1 });
    expect(await memories(place)).toEqual(both);
  });

  it('is found again by a process that takes its import up where another left it', async () => {
    const place = await setting();
    const files: Sent[] = Array.from({ length: 6 }, (_, at) => [`Note-${at}.md`, `# Note\n\nMot ${at}.`]);
    await bring(place, ...files);
    const renamed = files.map(([name]): Sent => [name.toLowerCase(), `# Note\n\n${name} redit.`]);
    const { jobId } = await begin(place, renamed);
    let nowMs = Date.now();
    const clock = {
      now() {
        nowMs += 450;
        return new Date(nowMs);
      },
    };
    const stopping = new AbortController();
    let writes = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      before({ label }) {
        if (label === 'update-memory' && ++writes === 3) stopping.abort();
      },
    });
    expect(await runImport({ ...place.ctx, clock, kysely, stopping: stopping.signal }, { jobId })).toBe(
      false,
    );
    expect(await getImport(place.ctx, { jobId })).toMatchObject({ state: 'RUNNING', done: 3, updated: 3 });
    expect(await runImport({ ...place.ctx, clock }, { jobId })).toBe(true);
    expect(await getImport(place.ctx, { jobId })).toMatchObject({ state: 'DONE', created: 0, updated: 6 });
    expect((await memories(place)).size).toBe(6);
  });
});

describe('a page of Notion', () => {
  const page = (n: number, path: string, body: string): Sent => [
    `${path} ${PAGE(n)}.md`,
    `# Note\n\n${body}`,
  ];

  it('is itself when one of its name comes or goes beside it, and when it is renamed or moved', async () => {
    const place = await setting();
    await bring(place, page(5, 'Note', 'Cinq.'));
    const five = await idOf(place, 'Cinq.');
    // Its readable name is that of the new page from now on.
    expect(await bring(place, page(3, 'Note', 'Trois.'), page(5, 'Note', 'Cinq.'))).toMatchObject({
      created: 1,
      unchanged: 1,
      refused: [],
    });
    const both = await memories(place);
    expect(both.get(five)).toBe('Cinq.');
    for (const path of ['Note', 'Autre nom', `Dossier ${PAGE(9)}/Note`])
      expect(await bring(place, page(5, path, 'Cinq.'))).toMatchObject({ ...NOTHING_NEW, unchanged: 1 });
    expect(await memories(place)).toEqual(both);
  });

  it('that an import kept by its path is found by it once, and by its identifier from then on', async () => {
    const place = await setting();
    const files = [page(1, 'Note', 'Un.'), page(2, 'Note', 'Deux.')];
    await bring(place, ...files);
    const [one, two] = [await idOf(place, 'Un.'), await idOf(place, 'Deux.')];
    const keep = (id: string, importKey: string) =>
      service.db.memory.update({ where: { id }, data: { importKey } });
    await keep(one, 'path:Note.md');
    await keep(two, `path:Note ${PAGE(2)}.md`);
    const before = await memories(place);
    // The second alone has the readable name, which was the first one’s.
    expect(await bring(place, page(2, 'Note', 'Deux.'))).toMatchObject({ ...NOTHING_NEW, unchanged: 1 });
    expect(await bring(place, ...files)).toMatchObject({ ...NOTHING_NEW, unchanged: 2 });
    expect(await memories(place)).toEqual(before);
    const keys = await service.db.memory.findMany({
      where: { spaceId: place.space.id },
      select: { importKey: true },
    });
    expect(keys.map(({ importKey }) => importKey).sort()).toEqual([1, 2].map((n) => `notion:${PAGE(n)}.md`));
  });
});

describe('two files that are one Memory', () => {
  const exported = (body: string): string =>
    `---\natelier: 1\nid: mem_copie\ntitle: Guide\npillar: IDENTITY\n---\n${body}`;

  it('by the identifier of an export: the first is written, the other is named with what to do, as often as they come', async () => {
    const place = await setting();
    const files: Sent[] = [
      ['1/guide.md', exported('Un.')],
      ['2/guide.md', exported('Un.')],
      ['3/guide.md', exported('Deux.')],
      ['3/guide/sous.md', '---\npillar: IDENTITY\n---\nDessous.'],
    ];
    const refused = [
      {
        path: '3/guide.md',
        reason:
          'C’est la même mémoire que «\u00a01/guide.md\u00a0», importé juste avant avec un autre texte\u00a0: seul le premier est écrit. Importez ce fichier à part s’il doit le remplacer.',
      },
    ];
    expect(await bring(place, ...files)).toMatchObject({ created: 2, updated: 0, unchanged: 1, refused });
    const before = await memories(place);
    expect([...before.values()].sort()).toEqual(['Dessous.', 'Un.']);
    expect(await bring(place, ...files)).toMatchObject({ created: 0, updated: 0, unchanged: 3, refused });
    expect(await memories(place)).toEqual(before);
    const under = await service.db.memory.findFirstOrThrow({
      where: { spaceId: place.space.id, body: 'Dessous.' },
    });
    expect(under.parentId).toBe(await idOf(place, 'Un.'));
  });

  it('an export beside the file that it was made of: neither is written over the other unseen', async () => {
    const place = await setting();
    await bring(place, ['guide.md', '# Guide\n\nUn.']);
    const id = await idOf(place, 'Un.');
    await edit(place, id, 'Guide', 'Repris.');
    const json = encode(await text(spaceJson(await exportSpace(place.ctx, { spaceId: place.space.id }))));
    const files: Sent[] = [
      ['guide.md', '# Guide\n\nDeux.'],
      ['espace.json', json],
    ];
    const report = await bring(place, ...files);
    expect(report).toMatchObject({ created: 0, updated: 1 });
    expect(report.refused.map(({ path }) => path)).toEqual(['guide.md', `espace.json#${id}`]);
    expect(await memories(place)).toEqual(new Map([[id, 'Deux.']]));
  });

  it('the archives of two Spaces, dropped together, are both written whole, each nested as it was', async () => {
    const place = await setting();
    const archives: Sent[] = [];
    for (const name of ['un', 'deux']) {
      const other = await makeSpace(service, place.account.id);
      const add = (title: string, parentId: string | null) =>
        addMemory(place.ctx, {
          spaceId: other.id,
          pillar: 'IDENTITY',
          title,
          body: `${title} de ${name}.`,
          parentId,
          source: 'MANUAL',
          idempotencyKey: null,
        });
      const { memory } = await add('Promesse', null);
      await add('Preuve', memory.id);
      const zip = await buffer(spaceMarkdownZip(await exportSpace(place.ctx, { spaceId: other.id })));
      archives.push([`${name}.zip`, zip]);
    }
    expect(await bring(place, ...archives)).toMatchObject({ created: 4, refused: [] });
    const rows = await service.db.memory.findMany({ where: { spaceId: place.space.id } });
    const titled = new Map(rows.map(({ id, body }) => [id, body]));
    expect(rows.map(({ body, parentId }) => [body, titled.get(parentId ?? '')]).sort()).toEqual([
      ['Preuve de deux.', 'Promesse de deux.'],
      ['Preuve de un.', 'Promesse de un.'],
      ['Promesse de deux.', undefined],
      ['Promesse de un.', undefined],
    ]);
    expect(await bring(place, ...archives)).toMatchObject({ ...NOTHING_NEW, unchanged: 4 });
  });
});

describe('another file under a path that was imported before', () => {
  const LONG = 'Nous fabriquons des lampes de papier, pliées à la main, dans un atelier de Lyon depuis 1998.';
  const OTHER =
    'Pour installer ce programme, ouvrez un terminal puis tapez la commande que voici, sans guillemets.';

  it('is named once, however many parts it has, and the history keeps the text that it replaced', async () => {
    const place = await setting();
    await bring(place, ['README.md', LONG], ['court.md', '# Courses\n\nPain.']);
    const report = await bring(place, ['README.md', OTHER], ['court.md', '# Réunion\n\nLundi.']);
    expect(report).toMatchObject({ created: 0, updated: 2 });
    expect(report.refused).toEqual([
      { path: 'court.md', reason: expect.stringContaining(OTHER_REPLACED) },
      { path: 'README.md', reason: expect.stringContaining(OTHER_REPLACED) },
    ]);
    const memoryId = await idOf(place, OTHER);
    expect(await service.db.memoryRevision.count({ where: { memoryId, body: LONG } })).toBe(1);
    const section = (title: string, word: string) =>
      `## ${title}\n\n${Array.from({ length: 1_500 }, (_, at) => `${word}${at}`).join(' ')}\n\n`;
    const parts = (word: string) =>
      `# Guide\n\n${section('Un', `${word}un`)}${section('Deux', `${word}deux`)}`;
    expect(await bring(place, ['guide.md', parts('alpha')])).toMatchObject({ created: 3 });
    const divided = await bring(place, ['guide.md', parts('delta')]);
    expect(divided.updated).toBe(2);
    expect(divided.refused.map(({ path }) => path)).toEqual(['guide.md']);
  });

  it('is told neither of a text that was revised, nor of a short one under its own title', async () => {
    const place = await setting();
    await bring(place, ['README.md', LONG], ['court.md', '# Courses\n\nPain.']);
    const revised = await bring(
      place,
      ['README.md', `${LONG} Nous les livrons dans toute la France.`],
      ['court.md', '# Courses\n\nLait.'],
    );
    expect(revised).toMatchObject({ updated: 2, refused: [] });
  });
});
