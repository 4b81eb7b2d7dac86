import { filePathOf, pathKey } from '../parse/draft-keys.ts';
import type { MemoryDraft, UploadedFile } from '../parse/types.ts';
import { FreeNames } from './free-names.ts';

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
 * The files of Notion exports under readable names: pages and folders without their identifier, without the export's own folder, and each
 * database once (the table without its view's filter). When two pages of a folder have the same name, the first takes it, and the other keeps
 * its identifier, as does the folder of its subpages. Other files keep their names, or are numbered beside a page of the same name.
 */
export function withoutNotionIds(files: readonly UploadedFile[]): UploadedFile[] {
  if (!files.some(({ name }) => name.split('/').some((segment) => ID.test(segment)))) return [...files];
  const given = new Set(files.map(({ name }) => name));
  const names = new FreeNames();
  const ofPages = new Set<string>();
  const root = emptyShelf();
  const renamed: UploadedFile[] = [];
  for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))) {
    const segments = file.name.split('/');
    const name = segments.at(-1) ?? '';
    const folders = segments.slice(0, -1).filter((segment) => !EXPORT_FOLDER.test(segment));
    if (folders.length === 0 && isListOfPages(name, file.bytes)) continue;
    if (ID.test(name) && /\.csv$/i.test(name) && given.has(file.name.replace(/\.csv$/i, '_all.csv')))
      continue;
    let shelf = root;
    let folder = '';
    for (const segment of folders) {
      const titled = titleIn(shelf, segment);
      let inner = shelf.folders.get(titled);
      if (!inner) {
        inner = emptyShelf();
        shelf.folders.set(titled, inner);
      }
      shelf = inner;
      folder += `${titled}/`;
    }
    const clean = folder + titleIn(shelf, name);
    const kept = names.take(names.has(clean) && !names.has(file.name) ? file.name : clean);
    const id = idOf(name);
    if (id !== null) {
      if (kept === clean) ofPages.add(clean);
      renamed.push({ ...file, name: kept, notion: { id, longName: folder + name } });
    } else renamed.push({ ...file, name: kept, ...(ofPages.delete(clean) ? { cameAs: clean } : {}) });
  }
  return renamed;
}

/** With the kind of file: a page exported as Markdown and as HTML is two files. */
function idOf(name: string): string | null {
  const id = ID.exec(name)?.[1];
  return id ? `${id}${name.slice(name.lastIndexOf('.'))}`.toLowerCase() : null;
}

const LINK_TO_PAGE = /[0-9a-f]{32}\.html"/i;

/** The list of all pages that an HTML export opens with: a page of that name that leads to none of them is somebody's. */
function isListOfPages(name: string, bytes: Uint8Array): boolean {
  return /^index(?: \(\d+\))?\.html$/i.test(name) && LINK_TO_PAGE.test(Buffer.from(bytes).toString('latin1'));
}

/**
 * Drafts of the pages of Notion under the identifiers that these have there: a page that is renamed, moved, or comes to stand beside another of its name is
 * still the same one. Of two files of one page, in two exports, the second is known by its path. A file that is numbered beside a page is known by the path under
 * which it came, whether the page is there or not.
 */
export function underNotionIds(
  drafts: readonly MemoryDraft[],
  files: ReadonlyMap<string, UploadedFile>,
): MemoryDraft[] {
  const fileOf = ({ key, id }: MemoryDraft) => (id === null ? files.get(filePathOf(key)) : undefined);
  const owners = new Map<string, string>();
  const seconds = new Set<string>();
  for (const draft of drafts) {
    const file = fileOf(draft);
    if (!file?.notion) continue;
    const { name, notion } = file;
    const owner = owners.get(notion.id) ?? name;
    owners.set(notion.id, owner);
    if (owner !== name) seconds.add(name);
  }
  const ofOthers = new Set([...files.values()].map(({ cameAs }) => cameAs));
  return drafts.map((draft) => {
    const file = fileOf(draft);
    if (!file || seconds.has(file.name)) return draft;
    const { name, notion, cameAs } = file;
    const part = draft.key.slice(name.length);
    if (cameAs !== undefined && !seconds.has(cameAs)) return { ...draft, cameAs: cameAs + part };
    if (!notion) return draft;
    const names = ofOthers.has(name) ? [notion.longName] : [notion.longName, name];
    return { ...draft, notion: notion.id + part, formerKeys: names.map((one) => pathKey(one + part)) };
  });
}

/** What a page or a folder is called beside the others of its folder: by its title, unless that is another page's. */
function titleIn({ owners }: Shelf, segment: string): string {
  const found = ID.exec(segment);
  const id = found?.[1];
  if (!found || !id) return segment;
  const title = segment.slice(0, found.index);
  const owner = owners.get(title) ?? id;
  owners.set(title, owner);
  if (owner !== id) return segment;
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
 * The text of a Notion page as standalone Markdown: links to other files of the export become their words, its pictures and frames are left
 * out. `onlyLinks`: it holds nothing but the names of its subpages, like a folder.
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
