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
  /** What it says in sentences (a description, a summary), in an order of our own. */
  lead: string[];
  /** Names of the fields that say something and are kept nowhere. */
  leftOut: string[];
  /** What those fields say, each as an item of a list: all that a file without text says. */
  items: string[];
  /** The following are read only in an exported file. */
  id: string | null;
  source: MemorySource | null;
  sourceRef: string | null;
  file: MemoryFile | null;
};

const BLOCK = /^---[ \t]*(\r?\n)([\s\S]*?)(?:(?<=\n)|\r?\n)---[ \t]*(?:\r?\n|$)/;

/** Longer than this it is no front matter, and read as text: what tools write there takes a hundredth of it. */
const MAX_BLOCK = 16 * 1024;

/** A field of a block, as lines tell it: its name, and what follows on the line. */
const FIELD = /^(["']?)([\p{L}_][\p{L}\p{N}_.-]{0,60})\1[ \t]*:(?:[ \t]+(.*))?$/u;
/** What else stands in a block of fields: more of the one above, an item of a list, a comment, the end of a bracket. */
const MORE = /^(?:[ \t].*|-(?:[ \t].*)?|#.*|[\]}],?[ \t]*)?$/;

/**
 * Splits a Markdown file into its front matter and its body. Many tools write a block that is no valid YAML: such a block is read line by
 * line. Text between two rules that holds no field at all stays in the body.
 */
export function readFrontMatter(text: string): { fields: FrontMatter; body: string } {
  const found = BLOCK.exec(text.slice(0, MAX_BLOCK));
  // What is cut off there may be more of the line that seems to end the block.
  const isCut = found?.[0].length === MAX_BLOCK && text.length > MAX_BLOCK;
  const raw = !found || isCut ? null : valuesOf(found[2] ?? '');
  if (!found || raw === null) return { fields: fieldsOf({}, {}), body: text };
  return { fields: fieldsOf(raw.values, raw.written), body: text.slice(found[0].length) };
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

type RawFields = Record<string, unknown>;

/** The fields of a block; `written`: the same, each as it was written, before YAML takes it for a number or nothing. Null for a block that is no front matter. */
function valuesOf(yaml: string): { values: RawFields; written: RawFields } | null {
  if (yaml.trim() === '') return { values: {}, written: {} };
  const lines = fieldLines(yaml);
  const values = parseMapping(yaml, 'core');
  if (values && (lines || isOfFields(yaml, values))) {
    const written = parseMapping(yaml, 'failsafe') ?? {};
    return { values, written: { ...written, title: titleWritten(written.title, lines?.get('title')) } };
  }
  if (!lines) return null;
  const read = Object.fromEntries([...lines].map(([name, line]) => [name, unquoted(line)]));
  return { values: read, written: read };
}

/** A mapping whose names are no words of a program is front matter all the same when it names a field that we know: « Une phrase : une autre » is text. */
function isOfFields(yaml: string, values: RawFields): boolean {
  return yaml.trimStart().startsWith('{') || Object.keys(values).some((name) => KNOWN.has(name));
}

function parseMapping(yaml: string, schema: 'core' | 'failsafe'): RawFields | null {
  try {
    // Not « silent », under which the parser passes over what it refuses, and all that follows a first document.
    const value: unknown = parse(yaml, { schema, maxAliasCount: 50, uniqueKeys: false, logLevel: 'error' });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawFields) : null;
  } catch {
    return null;
  }
}

/** What follows each name of a block in which every line belongs to a field; null for any other block. */
function fieldLines(yaml: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const line of yaml.split(/\r?\n/)) {
    const [, , name, value = ''] = FIELD.exec(line) ?? [];
    if (name) fields.set(name, value);
    else if (!MORE.test(line)) return null;
  }
  return fields.size > 0 ? fields : null;
}

function unquoted(line: string): string | null {
  const value = line.trim();
  if (value === '' || value === '~' || value === 'null') return null;
  return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** A title as its line says it: « [Brouillon] Charte » is no list, and « Recette #3 » has no comment. */
function titleWritten(parsed: unknown, line = ''): string | null {
  const written = line.replace(/(?:^|[ \t])#(?:[ \t].*)?$/, '').trim();
  if (typeof parsed !== 'string') return written === '' ? null : written;
  const text = parsed.trim();
  if (text === '~') return null;
  if (text === '') return written.startsWith('#') ? written : null;
  return written.startsWith(text) ? written : text;
}

/** Fields in which people write sentences: they go before the body. */
const SENTENCES = ['subtitle', 'sous-titre', 'description', 'summary', 'résumé', 'abstract', 'excerpt'];
const READ: readonly string[] = [
  EXPORT_MARK,
  'title',
  'pillar',
  'pilier',
  'kind',
  'date',
  'created',
  'createdAt',
  'updated',
  'updatedAt',
  'lastModified',
];
const KNOWN: ReadonlySet<string> = new Set([...SENTENCES, ...READ, 'tags']);

function fieldsOf(raw: RawFields, written: RawFields): FrontMatter {
  const exported = raw[EXPORT_MARK] === EXPORT_VERSION;
  const pillar = textOf(raw.pillar ?? raw.pilier);
  const role = pillar === null ? null : isPillarRole(pillar) ? pillar : roleNamed(pillar);
  const named = textOf(raw.kind)?.toUpperCase();
  const kind = MEMORY_KINDS.find((candidate) => candidate === named) ?? null;
  const isKept = (name: string) => {
    if (SENTENCES.includes(name)) return typeof raw[name] === 'string';
    return name === 'kind' ? kind !== null : READ.includes(name);
  };
  const leftOut = exported ? [] : Object.keys(raw).filter((name) => !saysNothing(raw[name]) && !isKept(name));
  return {
    exported,
    title: exported && typeof raw.title === 'string' ? raw.title : textOf(written.title),
    pillar: role,
    unknownPillar: role === null ? pillar : null,
    kind,
    createdAt: dateOf(raw.createdAt ?? raw.date ?? raw.created),
    updatedAt: dateOf(raw.updatedAt ?? raw.updated ?? raw.lastModified),
    lead: exported ? [] : SENTENCES.flatMap((name) => sentencesOf(raw[name], written[name])),
    leftOut,
    items: leftOut.map((name) => `- ${name}\u00a0: ${saidBy(written[name]).replace(/\r?\n/g, '\n  ')}`),
    id: exported ? textOf(raw.id) : null,
    source: exported ? (MEMORY_SOURCES.find((candidate) => candidate === raw.source) ?? null) : null,
    sourceRef: exported && typeof raw.sourceRef === 'string' ? raw.sourceRef : null,
    file: exported ? fileOf(raw.file) : null,
  };
}

/** What is nested deeper than this in a field is a program's. */
const MAX_NESTED = 4;

/** The words of a field, on the lines that its texts have. */
function saidBy(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '').trim();
  if (depth === MAX_NESTED) return '…';
  const said = Array.isArray(value)
    ? value.map((one) => saidBy(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${name}\u00a0: ${saidBy(one, depth + 1)}`);
  return said.join(', ');
}

function saysNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

function sentencesOf(value: unknown, written: unknown): string[] {
  const text = typeof value === 'string' ? textOf(written) : null;
  return text === null ? [] : [text];
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
