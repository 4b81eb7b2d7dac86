import fc from 'fast-check';
import { strToU8 } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { filePathOf, foldedKey, importKeyOf } from '#lib/brain/imports/parse/draft-keys.ts';
import { isLeftByTools } from '#lib/brain/imports/parse/left-by-tools.ts';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import { type TextEntry, zipOfTexts } from '#tests/factories/files/import-zip.ts';
import { type SentFile, sentFiles, uploadOf } from '#tests/factories/files/upload-paths.ts';

type Sent = readonly [name: string, content: string | Uint8Array];

const read = (files: readonly Sent[]) =>
  readUpload(
    files.map(([name, content]) => ({
      name,
      bytes: typeof content === 'string' ? strToU8(content) : content,
    })),
    { pillar: 'KNOWLEDGE' },
  );
/** The text of each Memory, by its key, and the refused files. */
const said = async (files: readonly Sent[]) => {
  const { drafts, refused } = await read(files);
  return { texts: Object.fromEntries(drafts.map(({ key, body }) => [key, body])), refused };
};
const ID = (n: number) => String(n).repeat(32).slice(0, 32);

describe('two files of one path', () => {
  it('in one archive are two Memories, the second numbered; the same bytes twice are one', async () => {
    const entries: TextEntry[] = [
      ['a/note.md', 'Un.'],
      ['a/note.md', 'Deux.'],
      ['a/note.md', 'Un.'],
      ['a\\note.md', 'Trois.'],
      ['photo.png', 'x'],
      ['photo.png', 'y'],
    ];
    expect(await said([['notes.zip', await zipOfTexts(entries)]])).toEqual({
      texts: { 'a/note.md': 'Un.', 'a/note (2).md': 'Deux.', 'a/note (3).md': 'Trois.' },
      refused: [{ path: 'photo.png', reason: 'Ce type de fichier n’est pas pris en charge.' }],
    });
  });

  it('sent side by side are two Memories, and are skipped each by its own name when one ends its reader', async () => {
    const files: Sent[] = [
      ['note.md', 'Un.'],
      ['note.md', 'Deux.'],
      ['note.md', 'Un.'],
    ];
    expect(await said(files)).toEqual({ texts: { 'note.md': 'Un.', 'note (2).md': 'Deux.' }, refused: [] });
    const uploaded = files.map(([name, text]) => ({ name, bytes: strToU8(String(text)) }));
    const skipped = new Map([['note.md', 'Trop long.']]);
    const { drafts, refused } = await readUpload(uploaded, { pillar: 'KNOWLEDGE', skipped });
    expect(drafts.map(({ key, body }) => [key, body])).toEqual([['note (2).md', 'Deux.']]);
    expect(refused).toEqual([{ path: 'note.md', reason: 'Trop long.' }]);
  });

  it('in two archives leave each archive whole, the second in a folder of its name, whichever was chosen first', async () => {
    const a = await zipOfTexts([
      ['docs/index.md', '# A\n\nDe a.'],
      ['docs/x.md', 'Sous a.'],
      ['docs/même.md', 'Le même.'],
    ]);
    const b = await zipOfTexts([
      ['docs/index.md', '# B\n\nDe b.'],
      ['docs/y.md', 'Sous b.'],
      ['docs/même.md', 'Le même.'],
    ]);
    const one = await read([
      ['a.zip', a],
      ['b.zip', b],
    ]);
    expect(one.refused).toEqual([]);
    expect(new Map(one.drafts.map(({ key, parentKey }) => [key, parentKey]))).toEqual(
      new Map([
        ['docs/index.md', null],
        ['docs/même.md', 'docs/index.md'],
        ['docs/x.md', 'docs/index.md'],
        ['b/docs/index.md', null],
        ['b/docs/même.md', 'b/docs/index.md'],
        ['b/docs/y.md', 'b/docs/index.md'],
      ]),
    );
    const other = await read([
      ['b.zip', b],
      ['a.zip', a],
    ]);
    expect(other).toEqual(one);
  });

  it('in archives of one name, each in a folder of its own, leave each whole where it lies', async () => {
    const zip = (said: string, page: string) =>
      zipOfTexts([
        ['docs/index.md', `# ${said}\n\nDe ${said}.`],
        [`docs/${page}.md`, `Sous ${said}.`],
      ]);
    const { drafts, refused } = await read([
      ['Clients/A/export.zip', await zip('A', 'x')],
      ['Clients/B/export.zip', await zip('B', 'y')],
      ['Clients/C/export.zip', await zip('C', 'z')],
    ]);
    expect(refused).toEqual([]);
    expect(new Map(drafts.map(({ key, parentKey }) => [key, parentKey]))).toEqual(
      new Map([
        ['docs/index.md', null],
        ['docs/x.md', 'docs/index.md'],
        ['Clients/B/export/docs/index.md', null],
        ['Clients/B/export/docs/y.md', 'Clients/B/export/docs/index.md'],
        ['Clients/C/export/docs/index.md', null],
        ['Clients/C/export/docs/z.md', 'Clients/C/export/docs/index.md'],
      ]),
    );
  });

  it('in an archive whose name or folder is that of tools, or says nothing, are read all the same', async () => {
    for (const name of ['.zip', ' .zip', '.git/docs.zip', '.docs.zip', '__MACOSX.zip']) {
      const { texts, refused } = await said([
        ['a.zip', await zipOfTexts([['n.md', 'Un.']])],
        [name, await zipOfTexts([['n.md', 'Deux.']])],
      ]);
      expect([refused, Object.values(texts).sort()], name).toEqual([[], ['Deux.', 'Un.']]);
    }
  });

  it('in a folder and in the archive made of it, sent together, are one file each where the bytes are the same', async () => {
    const files: TextEntry[] = [
      ['docs/a.md', 'Un.'],
      ['docs/b.md', 'Deux.'],
      ['docs/photo.png', 'x'],
    ];
    const { texts, refused } = await said([['docs.zip', await zipOfTexts(files)], ...files]);
    expect(texts).toEqual({ 'docs/a.md': 'Un.', 'docs/b.md': 'Deux.' });
    expect(refused.map(({ path }) => path)).toEqual(['docs/photo.png']);
  });

  it('are refused in a Word document, which no program writes so', async () => {
    const twice = await zipOfTexts([
      ['word/document.xml', '<w/>'],
      ['word/document.xml', '<w></w>'],
    ]);
    const { refused } = await read([['note.docx', twice]]);
    expect(refused.map(({ path }) => path)).toEqual(['note.docx']);
  });
});

describe('two files whose paths are nearly one', () => {
  it('by case, by the writing of an accent, by their kind or in their first 200 characters, are two Memories', async () => {
    const long = 'long '.repeat(50);
    const { drafts, refused } = await read([
      ['A.md', 'un'],
      ['a.md', 'deux'],
      ['été.md', 'trois'],
      ['e\u0301te\u0301.md', 'quatre'],
      ['page.md', 'cinq'],
      ['page.docx', makeDocx(paragraph('six'))],
      ['page/sous.md', 'sept'],
      [`${long}a.md`, 'huit'],
      [`${long}b.md`, 'neuf'],
    ]);
    expect(refused).toEqual([]);
    expect(new Set(drafts.map(({ body }) => body)).size).toBe(9);
    expect(new Set(drafts.map(importKeyOf)).size).toBe(9);
    const own = new Map(drafts.map(({ body, hasOwnPath }) => [body, hasOwnPath]));
    expect(['un', 'deux', 'trois', 'quatre'].map((body) => own.get(body))).toEqual(Array(4).fill(false));
    expect(['cinq', 'six', 'huit', 'neuf'].map((body) => own.get(body))).toEqual(Array(4).fill(true));
    expect(foldedKey('path:Été.md')).toBe(foldedKey('path:e\u0301te\u0301.MD'));
  });

  it('by case alone are two files also where one of them cannot be read: the other is not taken for it', async () => {
    const skipped = new Map([['B.md', 'Trop long.']]);
    const files: Sent[] = [
      ['A.md', ''],
      ['a.md', 'un'],
      ['B.md', 'x'],
      ['b.md', 'deux'],
      ['C.docx', 'aucun document'],
      ['c.DOCX', makeDocx(paragraph('trois'))],
      ['d.md', 'quatre'],
    ];
    const uploaded = files.map(([name, content]) => ({
      name,
      bytes: typeof content === 'string' ? strToU8(content) : content,
    }));
    const { drafts, refused } = await readUpload(uploaded, { pillar: 'KNOWLEDGE', skipped });
    expect(refused.map(({ path }) => path).sort()).toEqual(['A.md', 'B.md', 'C.docx']);
    expect(drafts.map(({ key, hasOwnPath }) => [key, hasOwnPath])).toEqual([
      ['a.md', false],
      ['b.md', false],
      ['c.DOCX', false],
      ['d.md', true],
    ]);
  });

  it('as a folder that bears the very name of a file are read both', async () => {
    const { texts, refused } = await said([
      ['guide.md', 'Un.'],
      ['guide.md/x.md', 'Deux.'],
      ['guide/y.md', 'Trois.'],
    ]);
    expect(refused).toEqual([]);
    expect(Object.values(texts).sort()).toEqual(['Deux.', 'Trois.', 'Un.']);
  });

  it('of one page of Notion, in two exports, are two Memories, one of them known by its path', async () => {
    const { drafts } = await read([
      [`ancien/Note ${ID(1)}.md`, '# Note\n\nAvant.'],
      [`nouveau/Note ${ID(1)}.md`, '# Note\n\nAprès.'],
    ]);
    expect(drafts.map((draft) => [draft.body, importKeyOf(draft)])).toEqual([
      ['Avant.', `notion:${ID(1)}.md`],
      ['Après.', 'path:nouveau/Note.md'],
    ]);
  });
});

describe('a page of Notion', () => {
  it('is known by its identifier, whatever it is called and wherever it lies, and each of its parts by its anchor', async () => {
    const long = `# Note\n\n## Début\n\n${'Une phrase. '.repeat(900)}\n\n## Suite\n\n${'Une autre. '.repeat(900)}`;
    const { drafts } = await read([
      [`Dossier ${ID(9)}/Note ${ID(1)}.md`, long],
      [`Dossier ${ID(9)}/Note ${ID(2)}.md`, '# Note\n\nCourt.'],
    ]);
    expect(drafts.map((draft) => [importKeyOf(draft), draft.formerKeys])).toEqual([
      [`notion:${ID(2)}.md`, [`path:Dossier/Note ${ID(2)}.md`, `path:Dossier/Note ${ID(2)}.md`]],
      [`notion:${ID(1)}.md`, [`path:Dossier/Note ${ID(1)}.md`, 'path:Dossier/Note.md']],
      [`notion:${ID(1)}.md#début`, [`path:Dossier/Note ${ID(1)}.md#début`, 'path:Dossier/Note.md#début']],
      [`notion:${ID(1)}.md#suite`, [`path:Dossier/Note ${ID(1)}.md#suite`, 'path:Dossier/Note.md#suite']],
    ]);
  });

  it('that has the name of another file is known by its identifier alone, and that file by its own path, with or without the page', async () => {
    const long = `# Note\n\n## Début\n\n${'Une phrase. '.repeat(900)}\n\n## Suite\n\n${'Une autre. '.repeat(900)}`;
    const file: Sent = ['Dossier/Note.md', long];
    const page: Sent = [`Dossier/Note ${ID(1)}.md`, '# Note\n\nDe Notion.'];
    const ofFile = ['path:Dossier/Note.md', 'path:Dossier/Note.md#début', 'path:Dossier/Note.md#suite'];
    const both = (await read([file, page])).drafts;
    expect(both.map((draft) => [draft.key, importKeyOf(draft), draft.formerKeys])).toEqual([
      ...['', '#début', '#suite'].map((part, at) => [`Dossier/Note (2).md${part}`, ofFile[at], undefined]),
      ['Dossier/Note.md', `notion:${ID(1)}.md`, [`path:Dossier/Note ${ID(1)}.md`]],
    ]);
    expect((await read([file])).drafts.map(importKeyOf)).toEqual(ofFile);
    // If the page itself is known by that path, the file is known by its number.
    const twice: Sent = [`Autre/Note ${ID(1)}.md`, '# Note\n\nDe Notion, avant.'];
    const keys = (await read([file, page, twice])).drafts.map(importKeyOf);
    expect(keys).toContain('path:Dossier/Note (2).md');
    expect(new Set(keys).size).toBe(5);
  });

  it('is the list of an export only where it leads to its pages: another index stays, and so does a name with a dot', async () => {
    const page: Sent = [`Page ${ID(1)}.html`, '<p>Une page.</p>'];
    const { texts } = await said([page, ['index.html', '<p>Accueil.</p>'], ['.NET.md', 'Texte.']]);
    expect(texts).toEqual({ 'Page.html': 'Une page.', 'index.html': 'Accueil.', '.NET.md': 'Texte.' });
    const list = `<ul><li><a href="Page%20${ID(1)}.html">Page</a></li></ul>`;
    expect(await said([page, ['index.html', list]])).toEqual({
      texts: { 'Page.html': 'Une page.' },
      refused: [],
    });
  });
});

describe('a name that says little', () => {
  it.each([
    ['dots', '....md'],
    ['one dot', '..md'],
    ['spaces', '  .md'],
    ['a line break', '\n.md'],
    ['what Windows refuses', 'a<b>:"|?*.md'],
    ['a folder of dots', '.../note.md'],
    ['a folder above', '../note.md'],
  ])('of %s is a file like another, with a title', async (_, name) => {
    const { drafts, refused } = await read([[name, 'Texte.']]);
    expect(refused).toEqual([]);
    expect(drafts.map(({ body }) => body)).toEqual(['Texte.']);
    for (const { title } of drafts) expect([title.length > 0, title]).toEqual([true, cleanTitle(title)]);
  });

  it('of which nobody sees anything titles no Memory: the next name does, or « Sans titre »', () => {
    expect(cleanTitle('\u200b \u2060', 'guide.md')).toBe('guide.md');
    expect(cleanTitle('\u200b', '\u2800')).toBe('Sans titre');
  });

  it('of a letter and a colon, which a Mac stores for « Q/R », is read in an archive; a drive is refused', async () => {
    expect(await said([['a.zip', await zipOfTexts([['Q:R.md', 'Texte.']])]])).toMatchObject({
      texts: { 'Q:R.md': 'Texte.' },
    });
    for (const path of ['C:/a.md', 'C:\\a.md', 'C:../a.md']) {
      const { refused } = await read([['a.zip', await zipOfTexts([[path, 'x']])]]);
      expect(refused.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(/nom de fichier dangereux/),
      ]);
    }
  });

  it('of a sharp is no part of another file', () => {
    for (const path of ['C# avancé.md', 'C#/a.md', 'a#b.txt']) expect(filePathOf(path)).toBe(path);
    expect(filePathOf('C# a.md#début-1')).toBe('C# a.md');
    expect(filePathOf('espace.json#mem_1')).toBe('espace.json');
  });
});

describe('any files', () => {
  /** Whether the report names a file: by its name without the identifier of Notion, numbered if another file has that name. */
  const isNamed = ({ path }: SentFile, refused: readonly { path: string }[]) => {
    const name = path.split(/[\\/]/).at(-1) ?? '';
    const stem = name.slice(0, name.lastIndexOf('.')).replace(/ ?[0-9a-f]{32}$/i, '');
    const ending = name.slice(name.lastIndexOf('.'));
    return refused.some((one) => one.path.includes(stem) && one.path.endsWith(ending));
  };
  /** Whether a file is read: one that is no text is not. */
  const isRead = ({ path }: SentFile) => !/\.png$/i.test(path);

  it('are each a Memory or named in the report, under keys that no two share, the same however archives are chosen', async () => {
    await fc.assert(
      fc.asyncProperty(sentFiles, async (files) => {
        const upload = await uploadOf(files);
        const { drafts, refused } = await readUpload(upload, { pillar: 'KNOWLEDGE' });
        const texts = drafts.map(({ body }) => body).join('\n');
        const lost = files.filter(
          (file) => !(isRead(file) ? new RegExp(`${file.word}\\b`).test(texts) : isNamed(file, refused)),
        );
        expect(lost.filter(({ path }) => !isLeftByTools(path.split(/[\\/]/)))).toEqual([]);
        expect(new Set(drafts.map(importKeyOf)).size).toBe(drafts.length);
        expect(new Set(drafts.map(({ key }) => key)).size).toBe(drafts.length);
        const archives = upload.filter(({ name }) => name.endsWith('.zip'));
        const loose = upload.filter(({ name }) => !name.endsWith('.zip'));
        const again = await readUpload([...archives.reverse(), ...loose], { pillar: 'KNOWLEDGE' });
        expect(again).toEqual({ drafts, refused });
      }),
      { numRuns: 300 },
    );
  });
});
