import type { CaseId } from './catalogue.ts';

/** The source of a fact: the provider itself, a third party, or nobody (inferred, recalled); `own`: ours to set. */
export type Mark = 'provider' | 'third-party' | 'inferred' | 'own';

/** Who documents each part of a case's line, and when that was read. */
type Marks = { model: Mark; price: Mark; limits: Mark; readOn: string };

const READ_ON = '2026-11-22';
const marks = (model: Mark, price: Mark, limits: Mark): Marks => ({ model, price, limits, readOn: READ_ON });

/** The marks of each case; docs/providers.md shows them, and the composer the price's. A case without marks does not compile. */
export const MARKS: Record<CaseId, Marks> = {
  'image-fast': marks('provider', 'provider', 'inferred'),
  'image-best': marks('provider', 'provider', 'inferred'),
  'image-light': marks('provider', 'provider', 'third-party'),
  'image-flex': marks('provider', 'provider', 'inferred'),
  'image-transparent': marks('provider', 'third-party', 'third-party'),
  'image-edit': marks('provider', 'provider', 'inferred'),
  'image-upscale': marks('provider', 'third-party', 'own'),
  vector: marks('provider', 'provider', 'own'),
  voice: marks('provider', 'third-party', 'provider'),
  lipsync: marks('provider', 'provider', 'own'),
  'lipsync-character': marks('provider', 'provider', 'own'),
  render: marks('own', 'own', 'own'),
  veo: marks('provider', 'third-party', 'provider'),
  'best-quality': marks('provider', 'third-party', 'provider'),
  cinematic: marks('provider', 'inferred', 'provider'),
  'seedance-2': marks('provider', 'third-party', 'third-party'),
  'seedance-2-5': marks('provider', 'third-party', 'third-party'),
  omni: marks('provider', 'third-party', 'third-party'),
  nova: marks('inferred', 'inferred', 'inferred'),
  replace: marks('inferred', 'third-party', 'inferred'),
  motion: marks('provider', 'third-party', 'provider'),
};

const LETTERS: Record<Mark, string> = {
  provider: '[P]',
  'third-party': '[T]',
  inferred: '[I]',
  own: 'ours',
};

/** The marks as Markdown, for docs/providers.md. */
export function marksTable(): string {
  const lines = ['| Case | Model and route | Price | Limits | Read on |', '|---|---|---|---|---|'];
  for (const [name, { model, price, limits, readOn }] of Object.entries(MARKS))
    lines.push(`| \`${name}\` | ${LETTERS[model]} | ${LETTERS[price]} | ${LETTERS[limits]} | ${readOn} |`);
  return lines.join('\n');
}
