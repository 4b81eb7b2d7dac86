import type { UploadedFile } from '../parse/types.ts';

/** What Notion puts after the title of each page and database: 32 hexadecimal digits; `_all` is a database without its view's filter. */
const ID = /(?:^|[ -])([0-9a-f]{32})(_all)?(?=\.[a-z]{2,8}$|$)/i;
const EXPORT_FOLDER = /^Export(?:Block)?-[0-9a-f-]{36}(?:-Part-\d+)?$/i;
const EXPORT_PART = /(?:^|\/)Export(?:Block)?-[0-9a-f-]{36}[^/]*\.zip$/i;

/** Whether this file of an archive is a part of a Notion export: large ones come as archives in one. */
export function isNotionPart(path: string): boolean {
  return EXPORT_PART.test(path);
}

/** What stands in one folder of an export: whose page each readable name is, by identifier, and the folders in it. */
type Shelf = { owners: Map<string, string>; folders: Map<string, Shelf> };

const emptyShelf = (): Shelf => ({ owners: new Map(), folders: new Map() });

/**
 * The files of Notion exports under names that people read: pages and folders without their identifier, no folder of the export itself, a database once (the table without its view's filter). A name that
 * two pages of one folder share is the first one's, and the other keeps its identifier, the folder of what is under it too. Other files are as they were, or numbered beside a page of their name.
 */
export function withoutNotionIds(files: readonly UploadedFile[]): UploadedFile[] {
  if (!files.some(({ name }) => name.split('/').some((segment) => ID.test(segment)))) return [...files];
  const names = new Set(files.map(({ name }) => name));
  const taken = new Set<string>();
  const root = emptyShelf();
  const renamed: UploadedFile[] = [];
  for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const segments = file.name.split('/');
    const name = segments.at(-1) ?? '';
    // The list of all pages that an HTML export opens with.
    const isAtTop = segments.slice(0, -1).every((segment) => EXPORT_FOLDER.test(segment));
    if (isAtTop && /^index\.html$/i.test(name)) continue;
    if (ID.test(name) && /\.csv$/i.test(name) && names.has(file.name.replace(/\.csv$/i, '_all.csv')))
      continue;
    let shelf = root;
    const readable: string[] = [];
    for (const [at, segment] of segments.entries()) {
      if (EXPORT_FOLDER.test(segment)) continue;
      const titled = titleIn(shelf, segment);
      readable.push(titled);
      if (at === segments.length - 1) break;
      let inner = shelf.folders.get(titled);
      if (!inner) {
        inner = emptyShelf();
        shelf.folders.set(titled, inner);
      }
      shelf = inner;
    }
    const clean = readable.join('/');
    const kept = [clean, file.name].find((one) => !taken.has(one)) ?? numbered(clean, taken);
    taken.add(kept);
    renamed.push({ ...file, name: kept, notion: ID.test(name) });
  }
  return renamed;
}

/** « notes (2).md »: a file attached to a page may have the name of a page under it. */
function numbered(path: string, taken: ReadonlySet<string>): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') ? dot : path.length;
  for (let number = 2; ; number += 1) {
    const name = `${path.slice(0, end)} (${number})${path.slice(end)}`;
    if (!taken.has(name)) return name;
  }
}

/** What a page or a folder is called beside the others of its folder: by its title, unless that is another page's. */
function titleIn({ owners }: Shelf, segment: string): string {
  const found = ID.exec(segment);
  const id = found?.[1];
  if (found && id) {
    const title = segment.slice(0, found.index);
    const owner = owners.get(title) ?? id;
    owners.set(title, owner);
    if (owner !== id) return segment;
  }
  const name = segment.replace(ID, '');
  return name === '' || name.startsWith('.') ? `Sans titre${name}` : name;
}

const IMAGE = /!\[[^\]\n[]{0,500}\]\((?!https?:)[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?\)/g;
const LINK =
  /\[([^\]\n[]{0,500})\]\((?!https?:|mailto:)[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?\)/g;
const CHILD =
  /^(?:[-*] )?\[[^\]\n[]{0,500}\]\((?!https?:)[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?\.(?:md|csv|html)\)$/;
const MAX_LINE = 20_000;

/**
 * The text of a Notion page as Markdown that stands by itself: links to other files of the export are their words, its pictures and frames are left out. `onlyLinks`: it says nothing but the names of the pages under
 * it, which is what a folder is.
 */
export function readNotionPage(text: string): { text: string; onlyLinks: boolean } {
  let onlyLinks = true;
  const lines = text.split('\n').flatMap((line, at) => {
    const trimmed = line.trim();
    if (/^<\/?aside>$/.test(trimmed)) return [];
    if (trimmed !== '' && !(at === 0 && trimmed.startsWith('# ')))
      onlyLinks &&= trimmed.length < MAX_LINE && CHILD.test(trimmed);
    return line.length > MAX_LINE ? [line] : [line.replace(IMAGE, '').replace(LINK, '$1')];
  });
  return { text: lines.join('\n'), onlyLinks };
}
