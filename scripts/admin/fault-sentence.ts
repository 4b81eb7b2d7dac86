import { faultFields, isDatabaseUnavailable } from '#lib/core/faults.ts';
import { ApplicationAddressMissing } from '#lib/local/prisma/migrate.ts';

/** What is wrong with an address that opens nothing, by SQLSTATE or by Node's code. */
const REFUSALS = new Map([
  ['28P01', 'refuse ce rôle ou ce mot de passe'],
  ['28000', 'refuse ce rôle'],
  ['3D000', 'n’existe pas sur ce serveur'],
  ['25006', 'n’accepte que des lectures, comme une réplique ou pendant une bascule'],
  ['53100', 'n’a plus de place sur son disque'],
  ['ERR_INVALID_URL', 'n’a pas d’adresse postgresql:// lisible'],
]);

/** Codes of a table or a column that is not there, of PostgreSQL and of Prisma. */
const NOT_MIGRATED = new Set(['42P01', '42703', 'P2021', 'P2022']);

/**
 * Whoever configured a database reads what is wrong with its address, in one sentence; undefined for any other fault, and for one of
 * the embedded database, which nobody configured.
 */
export function connectionSentence(
  error: unknown,
  source: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  if (error instanceof ApplicationAddressMissing) return error.message;
  if (!source.DATABASE_URL?.trim()) return undefined;
  const { code, statement } = faultFields(error);
  // A file store that is away has the same codes.
  if (String(statement).startsWith('store.')) return undefined;
  const why = REFUSALS.get(String(code)) ?? (isDatabaseUnavailable(error) ? 'ne répond pas' : undefined);
  if (why === undefined) return undefined;
  const named = code === undefined ? '' : ` (${code})`;
  return `La base de données ${why}${named}\u00a0: vérifiez DATABASE_URL et DATABASE_DIRECT_URL.`;
}

/** What a command says of a fault that is no refusal: never nothing, which is what some errors of the network have for a message. */
export function faultSentence(error: unknown): string {
  const about = connectionSentence(error);
  if (about !== undefined) return about;
  const { code, error: name } = faultFields(error);
  if (NOT_MIGRATED.has(String(code)))
    return `La base n’a pas les migrations de cette version (${code})\u00a0: appliquez-les d’abord (npm run migrate).`;
  const message = error instanceof Error ? error.message : String(error);
  return message || [name, code].filter((part) => part !== undefined).join(' ');
}
