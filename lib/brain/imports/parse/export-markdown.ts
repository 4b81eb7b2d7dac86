import { MANIFEST_FILE } from '../../export/format.ts';
import type { ExportedMemory, ExportedSpace } from '../../export/types.ts';
import { readManifest } from './export-json.ts';
import { type FolderFile, parseMarkdownFolder } from './markdown-folder.ts';
import { decodeText } from './text.ts';
import type { Parsed, Refusal } from './types.ts';

/** The Space in the files of a Markdown export. Files added by hand are left out; what could not be read is in `refused`. */
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
