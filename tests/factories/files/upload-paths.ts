import fc from 'fast-check';
import { zipOfTexts } from './import-zip.ts';

/** A file that somebody sends: where it lies, and a word that no other file says. */
export type SentFile = { path: string; archive: string | null; word: string };

const ID = '0123456789abcdef0123456789abcdef';
/** Names that one system takes for one and another for two, that programs give meaning to, and that say nothing. */
const NAMES = [
  'Note',
  'note',
  'été',
  'e\u0301te\u0301',
  'Été',
  'index',
  'README',
  'guide.md',
  'guide',
  '...',
  ' ',
  '. ',
  '.NET',
  'Q:R',
  'a<b>|?*',
  'C#',
  'con',
  'x (2)',
  `Note ${ID}`,
  `Note ${ID.toUpperCase()}`,
  `Note ${[...ID].reverse().join('')}`,
  'Charte',
  '1-identity',
  `${'long '.repeat(60)}a`,
  `${'long '.repeat(60)}b`,
];
const ENDINGS = ['.md', '.MD', '.txt', '.mdx', '.html', '.csv', '.png'];

const folders = fc
  .array(fc.constantFrom(...NAMES.filter((name) => !name.startsWith('.N'))), { maxLength: 3 })
  .map((names) => names.map((name) => `${name}/`).join(''));

/** Files that come alone or in archives, several of them under one path, or under paths that differ by what systems pass over. */
export const sentFiles: fc.Arbitrary<SentFile[]> = fc
  .array(
    fc.record({
      folder: folders,
      name: fc.constantFrom(...NAMES),
      ending: fc.constantFrom(...ENDINGS),
      slash: fc.constantFrom('/', '/', '\\', '/./', '//'),
      archive: fc.constantFrom(null, 'a.zip', 'b.zip', 'notes.zip'),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) =>
    all.map(({ folder, name, ending, slash, archive }, at) => ({
      // A table of Notion is left for its whole: it has a test of its own.
      path: `${folder}${name}${ending === '.csv' && name.toLowerCase().includes(ID) ? '.md' : ending}`.replaceAll(
        '/',
        archive === null && slash === '\\' ? '/' : slash,
      ),
      archive,
      word: `mot${at}`,
    })),
  );

/** The same files as they are uploaded, archives last. */
export async function uploadOf(files: readonly SentFile[]): Promise<{ name: string; bytes: Uint8Array }[]> {
  const loose = files.filter(({ archive }) => archive === null);
  const archives = [...new Set(files.flatMap(({ archive }) => archive ?? []))];
  return [
    ...loose.map((file) => ({ name: file.path, bytes: new TextEncoder().encode(textOf(file)) })),
    ...(await Promise.all(
      archives.map(async (name) => {
        const own = files.filter(({ archive }) => archive === name);
        return { name, bytes: await zipOfTexts(own.map((file) => [file.path, textOf(file)] as const)) };
      }),
    )),
  ];
}

function textOf({ path, word }: SentFile): string {
  if (/\.csv$/i.test(path)) return `Nom\n${word}`;
  return /\.html$/i.test(path) ? `<p>Un ${word}.</p>` : `Un ${word}.`;
}
