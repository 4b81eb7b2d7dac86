import { JSON_FORMAT, JSON_VERSION } from './format.ts';
import { readingOrderOf } from './order.ts';
import type { ExportedSpace } from './types.ts';

/** A Space as one JSON text, complete, Memories in reading order; `readSpaceJson` gives the same Space back. */
export function writeSpaceJson({ space, memories }: ExportedSpace): string {
  const ordered = readingOrderOf(memories).map(({ row }) => ({
    id: row.id,
    pillar: row.pillar,
    parentId: row.parentId,
    kind: row.kind,
    title: row.title,
    body: row.body,
    source: row.source,
    sourceRef: row.sourceRef,
    file: row.file,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));
  return `${JSON.stringify({ ...head(space), memories: ordered }, null, 2)}\n`;
}

/** The Space's own fields, without its Memories, as the Markdown export keeps them. */
export function writeManifest(space: ExportedSpace['space']): string {
  return `${JSON.stringify(head(space), null, 2)}\n`;
}

function head({ id, name, template, websiteUrl, createdAt, updatedAt }: ExportedSpace['space']) {
  return {
    format: JSON_FORMAT,
    version: JSON_VERSION,
    space: { id, name, template, websiteUrl, createdAt, updatedAt },
  };
}
