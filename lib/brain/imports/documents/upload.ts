import { isStorable } from '#lib/core/input/storable-text.ts';
import { MANIFEST_FILE } from '../../export/format.ts';
import { MAX_MEMORY_REQUEST_BYTES, MAX_TITLE_LENGTH } from '../../limits.ts';
import type { PillarRole } from '../../templates.ts';
import { jsonBytes } from '../../text/json-bytes.ts';
import { type FolderFile, isLeftByTools, parseMarkdownFolder } from '../parse/markdown-folder.ts';
import { decodeText } from '../parse/text.ts';
import type { MemoryDraft, Refusal, UploadedFile } from '../parse/types.ts';
import { readZip, type ZipLimits } from '../parse/zip.ts';
import { baseName, convert, isDocument, unsupported } from './convert.ts';
import { isNotionPart, withoutNotionIds } from './notion.ts';

/**
 * What the texts in the archives of one import may weigh, inflated, all together: far more than an account's capacity. Pictures and films beside
 * them are not inflated; a part of a Notion export is an archive with its pictures.
 */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;
const ZIP_LIMITS: Omit<ZipLimits, 'maxTotalBytes'> = {
  maxEntries: 5_000,
  maxEntryBytes: (path) => (isNotionPart(path) ? MAX_TOTAL_BYTES : MAX_ENTRY_BYTES),
};
const NOTHING = new Uint8Array();

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

const JSON_FILE = /\.json$/i;

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
};

/**
 * What uploaded files hold, as drafts with parents first, and what was refused, or left out of a file that was read, with its reason in French. Takes zip archives, Markdown, plain text, Word documents, saved pages, tables (CSV), PDF
 * with text, exports of Google Docs and Notion, and our own JSON export: nested as in their folders. Writes nothing.
 */
export async function readUpload(
  files: readonly UploadedFile[],
  options: UploadOptions,
): Promise<{ drafts: MemoryDraft[]; refused: Refusal[] }> {
  const refused: Refusal[] = [];
  const whole = withoutSkipped(files, options, refused);
  const loose = withoutSkipped(withoutNotionIds(await unpack(whole, options, refused)), options, refused);
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
  const folder = parseMarkdownFolder(texts, { pillar: options.pillar, begin: options.begin });
  refused.push(...folder.refused);
  leftOut.push(...folder.leftOut);
  const sizes = new Map(texts.map(({ path, bytes }) => [path, bytes.length]));
  for (const draft of folder.drafts) {
    const bytes = draft.id === null ? sizes.get(draft.key) : undefined;
    drafts.push(bytes === undefined ? draft : { ...draft, file: fileOf(draft.key, bytes) });
  }
  for (const file of loose) {
    if (isDocument(file.name)) continue;
    options.begin?.(file.name);
    if (JSON_FILE.test(file.name)) await readExport(file, drafts, refused);
    else refused.push({ path: file.name, reason: unsupported(file.name) });
  }
  const kept = keepWithin(keepStorable(drafts, refused), refused);
  // Last: of a long report the beginning is kept, and a file that is missing matters more.
  return { drafts: kept, refused: [...refused, ...leftOut] };
}

/** Leaves out the files that divide into more Memories than one file or one import may write, never their neighbours. */
function keepWithin(drafts: readonly MemoryDraft[], refused: Refusal[]): MemoryDraft[] {
  const counts = new Map<string, number>();
  for (const draft of drafts) counts.set(fileKeyOf(draft), (counts.get(fileKeyOf(draft)) ?? 0) + 1);
  let room = MAX_DRAFTS;
  const left = new Set<string>();
  for (const [path, count] of counts) {
    const reason =
      count > MAX_FILE_DRAFTS && path !== EXPORT_KEY
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
  return left.size === 0 ? [...drafts] : drafts.filter((draft) => !left.has(fileKeyOf(draft)));
}

const EXPORT_KEY = 'json';

/** The file that a draft was read from; those of a JSON export are one file's. */
function fileKeyOf({ key, id }: MemoryDraft): string {
  if (key.startsWith('json:') && id !== null) return EXPORT_KEY;
  const mark = key.indexOf('#');
  return mark === -1 ? key : key.slice(0, mark);
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

/** The files themselves and those of the archives; what tools leave beside them, and our manifest, are passed over in silence. */
async function unpack(
  files: readonly UploadedFile[],
  options: UploadOptions,
  refused: Refusal[],
): Promise<UploadedFile[]> {
  const found = new Map<string, UploadedFile>();
  const take = (file: UploadedFile) => {
    // Some programs write `./` before every path.
    const segments = file.name.split('/').filter((segment) => segment !== '' && segment !== '.');
    if (segments.length === 0 || isLeftByTools(segments) || file.name.endsWith('/')) return;
    const name = segments.join('/');
    if (found.has(name))
      refused.push({
        path: name,
        reason: 'Deux fichiers portent ce nom\u00a0: seul le premier est lu.',
      });
    else found.set(name, { ...file, name });
  };
  let room = MAX_TOTAL_BYTES;
  const open = async (file: UploadedFile, isOuter: boolean) => {
    options.begin?.(file.name);
    const others: string[] = [];
    const isWanted = (path: string) => {
      const isRead = isDocument(path) || JSON_FILE.test(path) || (isOuter && isNotionPart(path));
      if (!isRead) others.push(path);
      return isRead;
    };
    const zip = await readZip(file.bytes, { ...ZIP_LIMITS, maxTotalBytes: room }, isWanted);
    if (!zip.ok) {
      refused.push({ path: file.name, reason: zip.reason });
      return;
    }
    for (const { path, bytes } of zip.entries) {
      room -= bytes.length;
      if (isOuter && isNotionPart(path)) await open({ name: path, bytes }, false);
      else if (path !== MANIFEST_FILE) take({ name: path, bytes });
    }
    // Named among what is not read.
    for (const path of others) take({ name: path, bytes: NOTHING });
  };
  for (const file of files) {
    if (!/\.zip$/i.test(file.name)) {
      take(file);
      continue;
    }
    await open(file, true);
  }
  return [...found.values()];
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
  for (const { id, parentId, ...memory } of read.memories) {
    const depth = parentId === null ? 0 : (depths.get(parentId) ?? 0) + 1;
    depths.set(id, depth);
    drafts.push({
      ...memory,
      key: `json:${id}`,
      parentKey: parentId === null ? null : `json:${parentId}`,
      depth,
      id,
    });
  }
}

/** Leaves out, with its reason, what the database could not keep or the limits of a Memory do not allow. */
function keepStorable(drafts: readonly MemoryDraft[], refused: Refusal[]): MemoryDraft[] {
  return drafts.filter((draft) => {
    const reason = reasonAgainst(draft);
    if (reason) refused.push({ path: draft.sourceRef ?? draft.key, reason });
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
