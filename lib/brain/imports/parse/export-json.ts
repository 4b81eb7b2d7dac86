import { z } from 'zod';
import { storableInstant } from '#lib/core/input/storable-instant.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { JSON_FORMAT, JSON_VERSION } from '../../export/format.ts';
import { readingOrderOf } from '../../export/order.ts';
import type { ExportedSpace } from '../../export/types.ts';
import { MAX_MEMORY_DEPTH, MAX_TITLE_LENGTH } from '../../limits.ts';
import { MEMORY_KINDS, MEMORY_SOURCES, PILLAR_ROLES, SPACE_TEMPLATES } from '../../templates.ts';
import type { Parsed } from './types.ts';

const date = storableInstant.transform((text) => new Date(text));
const spaceFields = z.object({
  id: z.string(),
  name: z.string(),
  template: z.enum(SPACE_TEMPLATES),
  websiteUrl: z.string().nullable(),
  createdAt: date,
  updatedAt: date,
});
const document = z.object({
  format: z.literal(JSON_FORMAT),
  version: z.literal(JSON_VERSION),
  space: spaceFields,
  memories: z.array(
    z.object({
      id: z.string(),
      pillar: z.enum(PILLAR_ROLES),
      parentId: z.string().nullable(),
      kind: z.enum(MEMORY_KINDS),
      title: z
        .string()
        .min(1)
        .refine(...atMostUnits(MAX_TITLE_LENGTH)),
      body: z.string().min(1),
      source: z.enum(MEMORY_SOURCES),
      sourceRef: z.string().nullable(),
      file: z
        .object({ name: z.string(), contentType: z.string(), bytes: z.number().int().nonnegative() })
        .nullable(),
      createdAt: date,
      updatedAt: date,
    }),
  ),
});
const manifest = document.omit({ memories: true });

/** The Space in a text that `spaceJson` wrote; Memories in reading order, parents first. Refuses anything else with its first fault. */
export function readSpaceJson(text: string): Parsed<ExportedSpace> {
  const read = readDocument(text, document);
  if (!read.ok) return read;
  const { space, memories } = read.value;
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  if (byId.size < memories.length) return { ok: false, reason: 'Deux mémoires portent le même identifiant.' };
  for (const { title, parentId, pillar } of memories) {
    if (parentId !== null && byId.get(parentId)?.pillar !== pillar) {
      return { ok: false, reason: `Le parent de la mémoire « ${title} » n’est pas dans son pilier.` };
    }
  }
  const nodes = readingOrderOf(memories);
  // Parents exist: a Memory placed as a root although it names one was in a cycle.
  const astray = nodes.find(
    ({ row, depth, parentId }) => parentId !== row.parentId || depth > MAX_MEMORY_DEPTH,
  );
  if (astray) {
    return { ok: false, reason: `L’imbrication de la mémoire « ${astray.row.title} » n’est pas valide.` };
  }
  return { ok: true, space, memories: nodes.map(({ row }) => row) };
}

/** What `writeManifest` wrote. */
export function readManifest(text: string): Parsed<{ space: ExportedSpace['space'] }> {
  const read = readDocument(text, manifest);
  return read.ok ? { ok: true, space: read.value.space } : read;
}

function readDocument<T>(text: string, schema: z.ZodType<T>): Parsed<{ value: T }> {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'Ce fichier n’est pas un JSON valide.' };
  }
  const read = schema.safeParse(raw);
  if (read.success) return { ok: true, value: read.data };
  const field = read.error.issues[0]?.path.join('.') || 'format';
  return { ok: false, reason: `Ce fichier n’est pas un export d’espace lisible (champ « ${field} »).` };
}
