import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { isStorableInstant } from '#lib/core/input/storable-instant.ts';
import { unstorableText } from '#lib/core/input/storable-text.ts';
import type { AssetState, AssetType } from '#lib/db/generated/tables.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { plainPathname } from '../pathnames.ts';

export const MANIFEST_LIMITS = { bytes: 64 * 1024 * 1024, lines: 100_000, problemsShown: 50 } as const;

/** A file of the former application as one line of a manifest says it; `line` counts from 1. */
export type ManifestRow = {
  line: number;
  path: string;
  type: AssetType;
  state: AssetState;
  contentType: string;
  bytes: number;
  createdAt: Date;
  reviewedAt: Date | null;
  productId: string;
  /** Whose file it is; null: the member in whose name the import runs. */
  email: string | null;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** Path of the file that this one varies or descends from. */
  ancestor: string | null;
};

export type ManifestProblem = { field: string; message: string };

const TYPES = { image: 'IMAGE', vector: 'VECTOR', audio: 'AUDIO', video: 'VIDEO' } as const;
const STATES = {
  generated: 'GENERATED',
  rejected: 'REJECTED',
  approved: 'APPROVED',
  delivered: 'DELIVERED',
} as const;
const CONTENT_TYPES: Record<AssetType, RegExp> = {
  IMAGE: /^image\/(png|jpeg|webp|gif|avif)$/,
  VECTOR: /^image\/svg\+xml$/,
  AUDIO: /^audio\/[a-z0-9.+-]{1,40}$/,
  VIDEO: /^video\/[a-z0-9.+-]{1,40}$/,
};

const quoted = (words: object) => Object.keys(words).join(', ');
const MESSAGES = {
  json: 'Cette ligne n’est pas un objet JSON.',
  unknown: 'Ce champ n’existe pas dans un manifeste.',
  path: 'Un chemin relatif de 1 à 700 caractères, sans «\u00a0..\u00a0», sans segment vide ni signe %.',
  type: `L’un de ces mots\u00a0: ${quoted(TYPES)}.`,
  state: `L’un de ces mots\u00a0: ${quoted(STATES)}.`,
  contentType:
    'Un type de média de la même famille que «\u00a0type\u00a0», en minuscules (par exemple image/png).',
  bytes: 'Un nombre entier d’octets, de 0 à 1\u00a0099\u00a0511\u00a0627\u00a0776.',
  size: 'Un nombre entier entre 1 et 100\u00a0000.',
  duration: 'Un nombre entier de millisecondes, entre 1 et 43\u00a0200\u00a0000.',
  instant: 'Une date avec son heure et son fuseau (2024-03-01T09:30:00Z).',
  future: 'Cette date est à venir.',
  text: 'Un texte de 1 à 320 caractères.',
  twice: 'Ce chemin est déjà celui de la ligne {line}.',
  circle: 'Cette filiation tourne en rond.',
  unstorable: 'Ce texte contient un caractère qui ne peut pas être conservé.',
} as const;

const relativePath = z
  .string(MESSAGES.path)
  .refine((path) => path.length <= 700 && plainPathname(path) !== null, MESSAGES.path);
const whole = (most: number, message: string) => z.int(message).min(1, message).max(most, message);
const instant = z.iso
  .datetime({ offset: true, error: MESSAGES.instant })
  .transform((text) => new Date(text))
  .refine(isStorableInstant, MESSAGES.instant);
const size = whole(100_000, MESSAGES.size).nullish();

const manifestLine = z.strictObject({
  path: relativePath,
  type: z.enum(Object.keys(TYPES) as (keyof typeof TYPES)[], MESSAGES.type),
  state: z.enum(Object.keys(STATES) as (keyof typeof STATES)[], MESSAGES.state).default('generated'),
  contentType: z.string(MESSAGES.contentType),
  bytes: z
    .int(MESSAGES.bytes)
    .min(0, MESSAGES.bytes)
    .max(1024 ** 4, MESSAGES.bytes),
  createdAt: instant,
  reviewedAt: instant.nullish(),
  product: z.string(MESSAGES.text).min(1, MESSAGES.text).max(60, MESSAGES.text).default(FREE_PRODUCT),
  member: z.string(MESSAGES.text).trim().min(1, MESSAGES.text).max(320, MESSAGES.text).nullish(),
  width: size,
  height: size,
  durationMs: whole(43_200_000, MESSAGES.duration).nullish(),
  ancestor: relativePath.nullish(),
});

/**
 * Reads a manifest of files of the former application, one JSON object a line (docs/operations.md); empty lines are skipped. Every
 * line is read before anything is said: problems name the line and the field. Nothing of it is written here.
 */
export function readManifest(text: string, now: Date): { rows: ManifestRow[]; problems: ManifestProblem[] } {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  if (text.length > MANIFEST_LIMITS.bytes || lines.length > MANIFEST_LIMITS.lines + 1)
    throw new ServiceError('invalid_request', {
      message:
        'Un manifeste compte au plus 100\u00a0000 lignes et 64\u00a0Mio\u00a0: coupez-le en plusieurs.',
    });
  const rows: ManifestRow[] = [];
  const problems: ManifestProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, written] of lines.entries()) {
    if (written.trim() === '') continue;
    const line = index + 1;
    const say = (field: string, message: string) =>
      problems.push({ field: field === '' ? `ligne ${line}` : `ligne ${line}, ${field}`, message });
    const row = readLine(written, line, now, say);
    if (!row) continue;
    const first = lineOf.get(row.path);
    if (first !== undefined) say('path', MESSAGES.twice.replace('{line}', String(first)));
    else {
      lineOf.set(row.path, line);
      rows.push(row);
    }
  }
  for (const row of circles(rows))
    problems.push({ field: `ligne ${row.line}, ancestor`, message: MESSAGES.circle });
  return { rows, problems };
}

function readLine(
  written: string,
  line: number,
  now: Date,
  say: (field: string, message: string) => void,
): ManifestRow | null {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    say('', MESSAGES.json);
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    say('', MESSAGES.json);
    return null;
  }
  const bad = unstorableText(value);
  if (bad) {
    say('', MESSAGES.unstorable);
    return null;
  }
  const read = manifestLine.safeParse(value);
  if (!read.success) {
    for (const issue of read.error.issues)
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) say(key.slice(0, 60), MESSAGES.unknown);
      else say(issue.path.join('.'), issue.message);
    return null;
  }
  const { data } = read;
  const type = TYPES[data.type];
  let isRight = true;
  const refuse = (field: string, message: string) => {
    isRight = false;
    say(field, message);
  };
  if (!CONTENT_TYPES[type].test(data.contentType)) refuse('contentType', MESSAGES.contentType);
  for (const field of ['createdAt', 'reviewedAt'] as const)
    if ((data[field]?.getTime() ?? 0) > now.getTime()) refuse(field, MESSAGES.future);
  if (!isRight) return null;
  const { path, contentType, bytes, createdAt } = data;
  return {
    line,
    path,
    type,
    contentType,
    bytes,
    createdAt,
    state: STATES[data.state],
    productId: data.product,
    email: data.member?.toLowerCase() ?? null,
    width: data.width ?? null,
    height: data.height ?? null,
    durationMs: data.durationMs ?? null,
    reviewedAt: data.reviewedAt ?? null,
    ancestor: data.ancestor ?? null,
  };
}

/** Rows whose line of ancestors comes back to a file of it. */
function circles(rows: readonly ManifestRow[]): ManifestRow[] {
  const ancestorOf = new Map(rows.map(({ path, ancestor }) => [path, ancestor]));
  const ends = new Set<string>();
  return rows.filter(({ path }) => {
    const walked = new Set<string>();
    let at: string | null | undefined = path;
    while (at && !ends.has(at) && !walked.has(at)) {
      walked.add(at);
      at = ancestorOf.get(at);
    }
    const isCircle = typeof at === 'string' && walked.has(at);
    if (!isCircle) for (const one of walked) ends.add(one);
    return isCircle;
  });
}
