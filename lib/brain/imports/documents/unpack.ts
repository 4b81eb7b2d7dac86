import { sha256 } from '#lib/core/crypto.ts';
import { MANIFEST_FILE } from '../../export/format.ts';
import { isLeftByTools } from '../parse/left-by-tools.ts';
import type { Refusal, UploadedFile } from '../parse/types.ts';
import { readZip, type ZipLimits } from '../parse/zip.ts';
import { baseName, isDocument, isJson } from './convert.ts';
import { FreeNames } from './free-names.ts';
import { isNotionPart } from './notion.ts';

/**
 * What the texts in the archives of one import may weigh, inflated, all together: far more than an account's capacity. Pictures and films beside
 * them are not inflated. The parts of Notion exports, archives with their pictures, may weigh as much again: what they hold is weighed as texts are.
 */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;
const ZIP_LIMITS = { maxEntries: 5_000, takesNamesakes: true } as const satisfies Partial<ZipLimits>;
const OF_TEXTS = {
  maxEntryBytes: MAX_TEXT_BYTES,
  tooMuch:
    'Les textes des archives d’un import pèsent 64\u00a0Mo au plus une fois décompressés\u00a0: importez cette archive à part, ou divisez-la en plusieurs.',
} as const satisfies Partial<ZipLimits>;
const OF_PARTS = {
  maxEntryBytes: MAX_TOTAL_BYTES,
  tooMuch:
    'Les parties d’un export de Notion pèsent 64\u00a0Mo au plus, toutes ensemble\u00a0: décompressez cette archive, puis importez-les l’une après l’autre.',
} as const satisfies Partial<ZipLimits>;
const HEAVY_TEXT =
  'Ce fichier dépasse 16\u00a0Mo une fois décompressé\u00a0: divisez-le, puis importez-le à part.';
const NOTHING = new Uint8Array();

/** Whether this file is an archive, by its name. */
export function isArchive(name: string): boolean {
  return /\.zip$/i.test(name);
}

/**
 * The files given and those in the archives, each under a path of its own. Of two different files with one path, the second is numbered
 * (« notes (2).md »); an archive whose files collide with another's is placed in a folder of its own name. Identical bytes under one path are one
 * file. A text that is too heavy is refused alone. Files that tools add, and our own manifest, are skipped silently.
 */
export async function unpack(
  files: readonly UploadedFile[],
  { begin }: { begin?: ((path: string) => void) | undefined },
  refused: Refusal[],
): Promise<UploadedFile[]> {
  const found = new FoundFiles();
  const room = { texts: MAX_TOTAL_BYTES, parts: MAX_TOTAL_BYTES };
  const open = async (file: UploadedFile, isOuter: boolean) => {
    begin?.(file.name);
    const others: string[] = [];
    const heavy: Refusal[] = [];
    let hasParts = false;
    const isWanted = (path: string, weight: number) => {
      if (isOuter && isNotionPart(path)) hasParts = true;
      else if (!isRead(path)) others.push(path);
      else if (weight > MAX_TEXT_BYTES) heavy.push({ path, reason: HEAVY_TEXT });
      else return true;
      return false;
    };
    const read = (of: typeof OF_TEXTS | typeof OF_PARTS, most: number, wanted: typeof isWanted) =>
      readZip(file.bytes, { ...ZIP_LIMITS, ...of, maxTotalBytes: most }, wanted);
    const zip = await read(OF_TEXTS, room.texts, isWanted);
    if (!zip.ok) {
      refused.push({ path: file.name, reason: zip.reason });
      return;
    }
    refused.push(...heavy);
    const own: UploadedFile[] = [];
    for (const { path, bytes } of zip.entries) {
      room.texts -= bytes.length;
      if (path !== MANIFEST_FILE) own.push({ name: path, bytes });
    }
    if (hasParts) {
      const parts = await read(OF_PARTS, room.parts, isNotionPart);
      if (!parts.ok) refused.push({ path: file.name, reason: parts.reason });
      for (const { path, bytes } of parts.ok ? parts.entries : []) {
        room.parts -= bytes.length;
        await open({ name: path, bytes }, false);
      }
    }
    // Named among what is not read.
    own.push(...others.map((name) => ({ name, bytes: NOTHING })));
    found.takeArchive(file.name, own);
  };
  for (const file of files) if (!isArchive(file.name)) found.take(file);
  // By name: which of two stands in a folder of its own does not hang on the order in which they were chosen.
  const archives = files.filter(({ name }) => isArchive(name));
  for (const file of archives.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)))
    await open(file, true);
  return found.files;
}

function isRead(path: string): boolean {
  return isDocument(path) || isJson(path);
}

/** What two files hold alike; nothing is read of another kind, which is named once. */
function contentOf({ name, bytes }: UploadedFile): string {
  return isRead(name) ? Buffer.from(sha256(bytes)).toString('base64') : '';
}

class FoundFiles {
  readonly files: UploadedFile[] = [];
  readonly #names = new FreeNames();
  /** What came under each path before any was numbered: its contents, and the archive that each came in first. */
  readonly #places = new Map<string, Map<string, string>>();

  take(file: UploadedFile, archive = '', folder = ''): void {
    const path = pathOf(file.name);
    if (path === null) return;
    const name = folder + path;
    const contents = this.#places.get(name) ?? new Map<string, string>();
    const content = contentOf(file);
    if (contents.has(content)) return;
    this.#places.set(name, contents.set(content, archive));
    this.files.push({ ...file, name: this.#names.take(name) });
  }

  /** The files of an archive, together: pages that lie under one another stay so. */
  takeArchive(archiveName: string, files: readonly UploadedFile[]): void {
    const archive = archiveStem(archiveName);
    const folder = files.some((file) => this.#isOthers(file, archive)) ? `${archive}/` : '';
    for (const file of files) this.take(file, archive, folder);
  }

  #isOthers(file: UploadedFile, archive: string): boolean {
    const contents = this.#places.get(pathOf(file.name) ?? '');
    if (!contents || contents.has(contentOf(file))) return false;
    return [...contents.values()].some((other) => other !== archive);
  }
}

/** Without the `./` that some programs write before every path; null for what is no file of somebody's. */
function pathOf(name: string): string | null {
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.length === 0 || name.endsWith('/') || isLeftByTools(segments) ? null : segments.join('/');
}

/** The folder that an archive is unpacked into, where it lies itself; one for all parts of a Notion export. */
function archiveStem(name: string): string {
  const stem = name.replace(/(?:-Part-\d+)?\.zip$/i, '');
  const inside = baseName(stem).trim() === '' ? null : pathOf(`${stem}/a.md`);
  return inside === null ? 'archive' : inside.slice(0, -'/a.md'.length);
}
