import { expect, test } from 'vitest';
import { droppedFiles, filesOf } from '#app/(cockpit)/espaces/[id]/_menu/dropped-files.ts';

type Tree = { [name: string]: Tree | string };

/** The entry that a browser makes of a dropped file or folder; a folder gives a hundred entries at a time. */
function entryOf(name: string, content: Tree | string): FileSystemEntry {
  const isFile = typeof content === 'string';
  const entry = {
    name,
    isFile,
    isDirectory: !isFile,
    fullPath: `/${name}`,
    file: (done: (file: File) => void) => done(new File([String(content)], name)),
    createReader() {
      const rest = Object.entries(content).map(([inner, of]) => entryOf(inner, of));
      return { readEntries: (done: (some: FileSystemEntry[]) => void) => done(rest.splice(0, 100)) };
    },
  };
  return entry as unknown as FileSystemEntry;
}

async function dropped(...entries: FileSystemEntry[]): Promise<Record<string, string>> {
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  const files = await droppedFiles({ items, files: [] } as unknown as DataTransfer);
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  return Object.fromEntries(
    await Promise.all(files.map(async ({ file, path }) => [path, await file.text()] as const)),
  );
}

test('two folders of one name, dropped together from two places, keep their files apart', async () => {
  const first = entryOf('Notes', { 'a.md': 'un', Sous: { 'b.md': 'deux' } });
  const second = entryOf('Notes', { 'a.md': 'trois', 'c.md': 'quatre' });
  expect(await dropped(first, second, entryOf('seul.md', 'cinq'))).toEqual({
    'Notes/a.md': 'un',
    'Notes/Sous/b.md': 'deux',
    'Notes (2)/a.md': 'trois',
    'Notes (2)/c.md': 'quatre',
    'seul.md': 'cinq',
  });
});

test('a folder is taken whole beside as many hidden files, and what programs hide in it stays there', async () => {
  const texts = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`${at}.md`, `mot ${at}`]));
  const hidden = Object.fromEntries(Object.keys(texts).map((name) => [`._${name}`, 'x']));
  const tools = { '.git': { 'a.md': 'x' }, __MACOSX: { 'a.md': 'x' }, '.DS_Store': 'x', '~$a.docx': 'x' };
  const found = await dropped(entryOf('Notes', { ...hidden, ...tools, ...texts, '.NET.md': 'mot' }));
  expect(Object.keys(found).length).toBe(1_501);
  expect([found['Notes/1499.md'], found['Notes/.NET.md']]).toEqual(['mot 1499', 'mot']);
});

test('of a folder that is chosen, what programs hide in it stays there too; a file chosen by itself is sent whatever it is called', () => {
  const chosen = ['Notes/a.md', 'Notes/._a.md', 'Notes/.git/b.md', 'Notes/.NET.md', ''].map((path) => ({
    name: path.split('/').at(-1) || '.env.md',
    webkitRelativePath: path,
  }));
  const list = [...chosen, { name: '~$a.docx', webkitRelativePath: '' }] as unknown as FileList;
  expect(filesOf(list).map(({ path }) => path)).toEqual([
    'Notes/a.md',
    'Notes/.NET.md',
    '.env.md',
    '~$a.docx',
  ]);
});
