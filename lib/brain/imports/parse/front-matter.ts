import { parse } from 'yaml';
import { EXPORT_MARK, EXPORT_VERSION } from '#lib/brain/export/format.ts';
import type { MemoryFile } from '#lib/brain/memory-file.ts';
import {
  isPillarRole,
  MEMORY_KINDS,
  MEMORY_SOURCES,
  type MemoryKind,
  type MemorySource,
  PILLAR_ROLES,
  type PillarRole,
  pillarPresentation,
  SPACE_TEMPLATES,
} from '#lib/brain/templates.ts';
import { foldAccents } from '#lib/core/text/fold.ts';

export type FrontMatter = {
  /** Written by our export: nothing is trimmed, split or guessed. */
  exported: boolean;
  title: string | null;
  pillar: PillarRole | null;
  /** What `pillar` said when it names no pillar. */
  unknownPillar: string | null;
  kind: MemoryKind | null;
  createdAt: Date | null;
  updatedAt: Date | null;
  /** The following are read only in an exported file. */
  id: string | null;
  source: MemorySource | null;
  sourceRef: string | null;
  file: MemoryFile | null;
};

const BLOCK = /^---[ \t]*(\r?\n)([\s\S]*?)(?:(?<=\n)|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** Longer than this it is no front matter, and read as text: what tools write there takes a hundredth of it. */
const MAX_BLOCK = 16 * 1024;

/**
 * Splits a Markdown file into its front matter and its body. A block that is not valid YAML, or not a mapping, is
 * dropped without failing the file: half the Markdown of the world has one that only its own tool understands.
 */
export function readFrontMatter(text: string): { fields: FrontMatter; body: string } {
  const found = BLOCK.exec(text.slice(0, MAX_BLOCK));
  // What is cut off there may be more of the line that seems to end the block.
  const isCut = found?.[0].length === MAX_BLOCK && text.length > MAX_BLOCK;
  if (!found || isCut) return { fields: fieldsOf({}), body: text };
  const values = parseMapping(found[2] ?? '');
  return { fields: fieldsOf(values ?? {}), body: text.slice(found[0].length) };
}

/** The role that a French label, of any template, or a role's name designates; null when none does. */
export function roleNamed(name: string): PillarRole | null {
  const wanted = fold(name);
  const role = PILLAR_ROLES.find((candidate) => candidate.toLowerCase() === wanted);
  if (role) return role;
  const labelled = PILLAR_ROLES.filter((candidate) =>
    SPACE_TEMPLATES.some((template) => fold(pillarPresentation(template, candidate).label) === wanted),
  );
  return labelled.length === 1 ? (labelled[0] ?? null) : null;
}

function parseMapping(yaml: string): Record<string, unknown> | null {
  try {
    const value: unknown = parse(yaml, {
      schema: 'core',
      maxAliasCount: 50,
      uniqueKeys: false,
      logLevel: 'silent',
    });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function fieldsOf(raw: Record<string, unknown>): FrontMatter {
  const exported = raw[EXPORT_MARK] === EXPORT_VERSION;
  const pillar = textOf(raw.pillar ?? raw.pilier);
  const role = pillar === null ? null : isPillarRole(pillar) ? pillar : roleNamed(pillar);
  const kind = textOf(raw.kind)?.toUpperCase();
  return {
    exported,
    title: exported && typeof raw.title === 'string' ? raw.title : textOf(raw.title),
    pillar: role,
    unknownPillar: role === null ? pillar : null,
    kind: MEMORY_KINDS.find((candidate) => candidate === kind) ?? null,
    createdAt: dateOf(raw.createdAt ?? raw.date ?? raw.created),
    updatedAt: dateOf(raw.updatedAt ?? raw.updated ?? raw.lastModified),
    id: exported ? textOf(raw.id) : null,
    source: exported ? (MEMORY_SOURCES.find((candidate) => candidate === raw.source) ?? null) : null,
    sourceRef: exported && typeof raw.sourceRef === 'string' ? raw.sourceRef : null,
    file: exported ? fileOf(raw.file) : null,
  };
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A date between 1970 and 9999; anything else is as if absent. */
function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}/.test(value)) return null;
  const date = new Date(value);
  return date.getTime() >= 0 && date.getUTCFullYear() <= 9999 ? date : null;
}

function fileOf(value: unknown): MemoryFile | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, contentType, bytes } = value as Record<string, unknown>;
  const isSize = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0;
  return typeof name === 'string' && typeof contentType === 'string' && isSize
    ? { name, contentType, bytes }
    : null;
}

function fold(text: string): string {
  return foldAccents(text).trim();
}
