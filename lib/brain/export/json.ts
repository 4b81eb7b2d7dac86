import { JSON_FORMAT, JSON_VERSION } from './format.ts';
import { inReadingOrder } from './order.ts';
import type { ExportedMemory, ExportedSpace, SpaceToExport } from './types.ts';

/**
 * A Space as one JSON text, complete, Memories in reading order, in pieces: one Memory each, read a few at a time, so that neither the loop nor the
 * memory holds the text. `readSpaceJson` gives the same Space back.
 */
export async function* spaceJson(exported: SpaceToExport): AsyncGenerator<string> {
  const start = JSON.stringify({ ...head(exported.space), memories: [] }, null, 2);
  yield start.slice(0, -']\n}'.length);
  let separator = '\n    ';
  for await (const { row } of inReadingOrder(exported)) {
    yield separator + JSON.stringify(fieldsOf(row), null, 2).replaceAll('\n', '\n    ');
    separator = ',\n    ';
  }
  yield `${exported.memories.length > 0 ? '\n  ' : ''}]\n}\n`;
}

function fieldsOf(row: ExportedMemory) {
  return {
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
  };
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
