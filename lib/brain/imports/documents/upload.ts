import { isStorable } from '#lib/core/input/storable-text.ts';
import { MAX_MEMORY_REQUEST_BYTES, MAX_TITLE_LENGTH } from '../../limits.ts';
import type { PillarRole } from '../../templates.ts';
import { jsonBytes } from '../../text/json-bytes.ts';
import { filePathOf } from '../parse/draft-keys.ts';
import { type FolderFile, parseMarkdownFolder } from '../parse/markdown-folder.ts';
import { decodeText } from '../parse/text.ts';
import type { MemoryDraft, Refusal, UploadedFile } from '../parse/types.ts';
import { baseName, convert, isDocument, isJson, unsupported } from './convert.ts';
import { underNotionIds, withoutNotionIds } from './notion.ts';
import { isArchive, unpack } from './unpack.ts';

/** Most Memories that one import may write, and one text of it: a JSON export is a whole Space. */
const MAX_DRAFTS = 20_000;
const MAX_FILE_DRAFTS = 5_000;

/** Of a path, a reference or an identifier: an entry of PostgreSQL's indexes takes 2,704 bytes. */
const MAX_ORIGIN_BYTES = 2_500;

type UploadOptions = {
  /** Pillar of what says nothing about its own. */
  pillar: PillarRole;
  /** Called with the path of each file before it is read: the last one called is at fault when the reading never ends. */
  begin?: ((path: string) => void) | undefined;
  /** Files that are not read, and why. */
  skipped?: ReadonlyMap<string, string>;
  /** Why no PDF is read, when the time of this import is over. */
  withoutPdf?: string | undefined;
};

const CONTENT_TYPES: Record<string, string> = {
  md: 'text/markdown',
  mdx: 'text/markdown',
  markdown: 'text/markdown',
  txt: 'text/plain',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  htm: 'text/html',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
};

/**
 * The drafts in uploaded files, parents first, and what was refused, or left out of a file that was read, with the reason in French. Takes zip
 * archives, Markdown, plain text, Word documents, saved pages, tables (CSV, TSV), PDF with text, exports of Google Docs and Notion, and our own
 * JSON export, nested as in their folders. Writes nothing.
 */
export async function readUpload(
  files: readonly UploadedFile[],
  options: UploadOptions,
): Promise<{ drafts: MemoryDraft[]; refused: Refusal[] }> {
  const refused: Refusal[] = [];
  const archives = withoutSkipped(
    files.filter(({ name }) => isArchive(name)),
    options,
    refused,
  );
  const others = files.filter(({ name }) => !isArchive(name));
  const found = withoutNotionIds(await unpack([...others, ...archives], options, refused));
  const loose = withoutSkipped(found, options, refused);
  const drafts: MemoryDraft[] = [];

  const leftOut: Refusal[] = [];
  const texts: FolderFile[] = [];
  for (const file of loose) {
    if (!isDocument(file.name)) continue;
    options.begin?.(file.name);
    const read = await convert(file);
    if (!read.ok) {
      refused.push({ path: file.name, reason: read.reason });
      continue;
    }
    texts.push({ path: file.name, bytes: file.bytes, converted: read.converted });
    leftOut.push(...read.leftOut.map((reason) => ({ path: file.name, reason })));
  }
  const converted = new Set(texts.map(({ path }) => path));
  const unread = found.map(({ name }) => name).filter((name) => !converted.has(name));
  const folder = parseMarkdownFolder(texts, { pillar: options.pillar, begin: options.begin, unread });
  refused.push(...folder.refused);
  leftOut.push(...folder.leftOut);
  const byPath = new Map(loose.map((file) => [file.name, file]));
  for (const draft of underNotionIds(folder.drafts, byPath)) {
    const bytes = draft.id === null ? byPath.get(draft.key)?.bytes.length : undefined;
    drafts.push(bytes === undefined ? draft : { ...draft, file: fileOf(draft.key, bytes) });
  }
  for (const file of loose) {
    if (isDocument(file.name)) continue;
    options.begin?.(file.name);
    if (isJson(file.name)) await readExport(file, drafts, refused);
    else refused.push({ path: file.name, reason: unsupported(file.name) });
  }
  const kept = keepWithin(keepStorable(drafts, refused), refused);
  // Last: of a long report the beginning is kept, and a file that is missing matters more.
  return { drafts: kept, refused: [...refused, ...leftOut] };
}

/** Leaves out the files that divide into more Memories than one file or one import may write, never their neighbours. */
function keepWithin(drafts: readonly MemoryDraft[], refused: Refusal[]): MemoryDraft[] {
  const counts = new Map<string, number>();
  for (const { key } of drafts) counts.set(filePathOf(key), (counts.get(filePathOf(key)) ?? 0) + 1);
  let room = MAX_DRAFTS;
  const left = new Set<string>();
  for (const [path, count] of counts) {
    const reason =
      count > MAX_FILE_DRAFTS && !isJson(path)
        ? `Ce fichier se divise en plus de ${MAX_FILE_DRAFTS.toLocaleString('fr-FR')} mémoires.`
        : count > room
          ? `Cet import dépasse ${MAX_DRAFTS.toLocaleString('fr-FR')} mémoires\u00a0: importez ce fichier à part.`
          : null;
    if (reason === null) room -= count;
    else {
      left.add(path);
      refused.push({ path, reason });
    }
  }
  return left.size === 0 ? [...drafts] : drafts.filter(({ key }) => !left.has(filePathOf(key)));
}

function withoutSkipped(
  files: readonly UploadedFile[],
  { skipped, withoutPdf }: UploadOptions,
  refused: Refusal[],
): UploadedFile[] {
  return files.filter(({ name }) => {
    const reason = skipped?.get(name) ?? (/\.pdf$/i.test(name) ? withoutPdf : undefined);
    if (reason) refused.push({ path: name, reason });
    return !reason;
  });
}

async function readExport(file: UploadedFile, drafts: MemoryDraft[], refused: Refusal[]): Promise<void> {
  // Loaded when there is one: its schema takes longer to load than most imports to read.
  const { readSpaceJson } = await import('../parse/export-json.ts');
  const decoded = decodeText(file.bytes);
  const read = decoded.ok ? readSpaceJson(decoded.text) : decoded;
  if (!read.ok) {
    refused.push({ path: file.name, reason: read.reason });
    return;
  }
  const depths = new Map<string, number>();
  const keyOf = (id: string) => `${file.name}#${id}`;
  for (const { id, parentId, ...memory } of read.memories) {
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1;
    depths.set(id, depth);
    drafts.push({
      ...memory,
      key: keyOf(id),
      parentKey: parentId === null ? null : keyOf(parentId),
      depth,
      id,
    });
  }
}

/** Leaves out, with its reason, what the database could not keep or the limits of a Memory do not allow. */
function keepStorable(drafts: readonly MemoryDraft[], refused: Refusal[]): MemoryDraft[] {
  return drafts.filter((draft) => {
    const reason = reasonAgainst(draft);
    if (reason) refused.push({ path: draft.key, reason });
    return reason === null;
  });
}

function reasonAgainst({ title, body, key, sourceRef, id, file }: MemoryDraft): string | null {
  const origins = [key, sourceRef, id, file?.name, file?.contentType].map((text) => text ?? '');
  if (![title, body, ...origins].every(isStorable))
    return 'Ce texte contient des caractères qui ne peuvent pas être gardés.';
  if (origins.some((text) => Buffer.byteLength(text) > MAX_ORIGIN_BYTES))
    return 'Le chemin ou l’identifiant de ce texte est trop long.';
  if (title.trim() === '' || title.length > MAX_TITLE_LENGTH)
    return `Le titre compte de 1 à ${MAX_TITLE_LENGTH} caractères.`;
  return jsonBytes(body) > MAX_MEMORY_REQUEST_BYTES ? 'Ce texte dépasse la taille d’une mémoire.' : null;
}

function fileOf(path: string, bytes: number) {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return { name: baseName(path), contentType: CONTENT_TYPES[extension] ?? 'application/octet-stream', bytes };
}
