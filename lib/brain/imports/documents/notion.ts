import type { UploadedFile } from '../parse/types.ts';

/** What Notion puts after the title of each page and database: 32 hexadecimal digits; `_all` is a database without its view's filter. */
const ID = /(?:^|[ -])([0-9a-f]{32})(_all)?(?=\.[a-z]{2,8}$|$)/i;
const EXPORT_FOLDER = /^Export(?:Block)?-[0-9a-f-]{36}(?:-Part-\d+)?$/i;
const EXPORT_PART = /(?:^|\/)Export(?:Block)?-[0-9a-f-]{36}[^/]*\.zip$/i;

/** Whether this file of an archive is a part of a Notion export: large ones come as archives in one. */
export function isNotionPart(path: string): boolean {
  return EXPORT_PART.test(path);
}

/**
 * The files of Notion exports under names that people read: pages and folders without their identifier, no folder of the export itself, a database once (the table without its view's filter). A name that
 * two pages share keeps its identifier. Other files are as they were.
 */
export function withoutNotionIds(files: readonly UploadedFile[]): UploadedFile[] {
  if (!files.some(({ name }) => name.split('/').some((segment) => ID.test(segment)))) return [...files];
  const names = new Set(files.map(({ name }) => name));
  const taken = new Set<string>();
  const renamed: UploadedFile[] = [];
  for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const segments = file.name.split('/');
    const name = segments.at(-1) ?? '';
    // The list of all pages that an HTML export opens with.
    if (/^index\.html$/i.test(name)) continue;
    if (/\.csv$/i.test(name) && names.has(file.name.replace(/\.csv$/i, '_all.csv'))) continue;
    const clean = segments
      .filter((segment) => !EXPORT_FOLDER.test(segment))
      .map((segment) => titled(segment))
      .join('/');
    const kept = taken.has(clean) ? file.name : clean;
    taken.add(kept);
    renamed.push({ ...file, name: kept, notion: ID.test(name) });
  }
  return renamed;
}

function titled(segment: string): string {
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
