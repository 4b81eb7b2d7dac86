import { zipPieces } from '#lib/core/zip/zip.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';
import { anchorOf } from '../text/titles.ts';
import { EXPORT_MARK, EXPORT_VERSION, MANIFEST_FILE } from './format.ts';
import { writeManifest } from './json.ts';
import { inReadingOrder } from './order.ts';
import type { ExportedFile, ExportedMemory, SpaceToExport } from './types.ts';

const SLUG_LENGTH = 40;
/** A folder whose path is this long holds numbers alone: Windows opens no path of 260 signs, and the archive is unpacked under another one. */
const LONG_PATH = 120;

/**
 * A Space as Markdown files: one folder per pillar, one file per Memory with its front matter, the children of `003-offre.md` in
 * `003-offre/`. An import of that folder gives back the same Memories to the byte.
 */
export async function* spaceMarkdownFiles(exported: SpaceToExport): AsyncGenerator<ExportedFile> {
  yield { path: MANIFEST_FILE, bytes: encode(writeManifest(exported.space)) };
  const folders = new Map<string, string>();
  const counts = new Map<string, number>();
  for await (const { row, parentId } of inReadingOrder(exported)) {
    const folder = (parentId === null ? undefined : folders.get(parentId)) ?? pillarFolder(row.pillar);
    const number = (counts.get(folder) ?? 0) + 1;
    counts.set(folder, number);
    const room = Math.max(0, Math.min(SLUG_LENGTH, LONG_PATH - folder.length));
    const slug = anchorOf(row.title).slice(0, room).toWellFormed();
    const stem = folder + [String(number).padStart(4, '0'), slug].filter(Boolean).join('-');
    folders.set(row.id, `${stem}/`);
    yield { path: `${stem}.md`, bytes: encode(frontMatter(row) + row.body) };
  }
}

/** The same files as one zip, made as fast as it is taken, never holding the loop; the same Space gives the same bytes. */
export function spaceMarkdownZip(exported: SpaceToExport): AsyncGenerator<Uint8Array> {
  return zipPieces(spaceMarkdownFiles(exported));
}

function pillarFolder(role: PillarRole): string {
  return `${PILLAR_ROLES.indexOf(role) + 1}-${role.toLowerCase()}/`;
}

function frontMatter(row: ExportedMemory): string {
  const fields: [string, string | null][] = [
    [EXPORT_MARK, String(EXPORT_VERSION)],
    ['id', quoted(row.id)],
    ['title', quoted(row.title)],
    ['pillar', row.pillar],
    ['kind', row.kind],
    ['source', row.source],
    ['sourceRef', row.sourceRef === null ? null : quoted(row.sourceRef)],
    ['file', row.file && fileField(row.file)],
    ['createdAt', row.createdAt.toISOString()],
    ['updatedAt', row.updatedAt.toISOString()],
  ];
  const lines = fields.filter(([, value]) => value !== null).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join('')}---\n`;
}

function fileField({ name, contentType, bytes }: NonNullable<ExportedMemory['file']>): string {
  return `{ name: ${quoted(name)}, contentType: ${quoted(contentType)}, bytes: ${bytes} }`;
}

/** A YAML double-quoted scalar on one line: JSON, with what YAML does not take raw escaped too. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
