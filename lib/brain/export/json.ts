import { JSON_FORMAT, JSON_VERSION } from './format.ts';
import { readingOrderOf } from './order.ts';
import type { ExportedMemory, ExportedSpace } from './types.ts';

/**
 * A Space as one JSON text, complete, Memories in reading order, in pieces: one Memory each, so that neither the loop nor the memory holds the
 * text. `readSpaceJson` gives the same Space back.
 */
export function* spaceJson({ space, memories }: ExportedSpace): Generator<string> {
  const start = JSON.stringify({ ...head(space), memories: [] }, null, 2);
  yield start.slice(0, -']\n}'.length);
  let separator = '\n    ';
  for (const { row } of readingOrderOf(memories)) {
    yield separator + JSON.stringify(fieldsOf(row), null, 2).replaceAll('\n', '\n    ');
    separator = ',\n    ';
  }
  yield `${memories.length > 0 ? '\n  ' : ''}]\n}\n`;
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
