import { MANIFEST_FILE } from '#lib/brain/export/format.ts';
import type { ExportedMemory, ExportedSpace } from '#lib/brain/export/types.ts';
import { readManifest } from '#lib/brain/imports/parse/export-json.ts';
import { type FolderFile, parseMarkdownFolder } from '#lib/brain/imports/parse/markdown-folder.ts';
import { decodeText } from '#lib/brain/imports/parse/text.ts';
import type { Parsed, Refusal } from '#lib/brain/imports/parse/types.ts';

/** The Space in the files of a Markdown export, read as an import of the folder reads it. Files added by hand are left out. */
export function readSpaceMarkdown(
  files: readonly FolderFile[],
): Parsed<ExportedSpace & { refused: Refusal[] }> {
  const manifest = files.find(({ path }) => path === MANIFEST_FILE);
  const decoded = manifest ? decodeText(manifest.bytes) : null;
  if (!decoded?.ok) return { ok: false, reason: `Le fichier « ${MANIFEST_FILE} » manque à cet export.` };
  const read = readManifest(decoded.text);
  if (!read.ok) return read;
  const { drafts, refused } = parseMarkdownFolder(files, { pillar: 'IDENTITY' });
  const idByKey = new Map(drafts.map(({ key, id }) => [key, id]));
  const memories = drafts.flatMap((draft): ExportedMemory[] => {
    const { id, pillar, parentKey, kind, title, body, source, sourceRef, file, createdAt, updatedAt } = draft;
    if (id === null || source === null || createdAt === null || updatedAt === null) return [];
    const parentId = parentKey === null ? null : (idByKey.get(parentKey) ?? null);
    return [{ id, pillar, parentId, kind, title, body, source, sourceRef, file, createdAt, updatedAt }];
  });
  return { ok: true, space: read.space, memories, refused };
}
