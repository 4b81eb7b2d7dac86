import { grantApplicationRights, roleOf } from '../postgres/rights.ts';

/** How a database is reached: by who owns its tables, and by the application. The same address twice: one role does both. */
export type DatabaseAddresses = { ownerUrl: string; url: string };

/** The owner's address was given without the application's: that database is meant, not the embedded one. */
export class ApplicationAddressMissing extends Error {
  constructor() {
    super(
      'DATABASE_DIRECT_URL est donnée sans DATABASE_URL\u00a0: rien n’a été fait. Donnez les deux (ou DATABASE_URL seule).',
    );
    this.name = 'ApplicationAddressMissing';
  }
}

/**
 * The addresses that the environment gives: `DATABASE_URL`, and for who migrates `DATABASE_DIRECT_URL`, or the same one. Throws
 * `ApplicationAddressMissing` for the second alone.
 */
export function configuredAddresses(
  source: Readonly<Record<string, string | undefined>> = process.env,
): DatabaseAddresses | undefined {
  const url = source.DATABASE_URL?.trim();
  const ownerUrl = source.DATABASE_DIRECT_URL?.trim();
  if (!url && ownerUrl) throw new ApplicationAddressMissing();
  return url ? { url, ownerUrl: ownerUrl || url } : undefined;
}

/**
 * Brings the database up to `prisma/migrations` as its owner, then gives the application's role, when it is another, its rights on
 * what is there now; what a migration makes has them from its first instant. Returns the names of the migrations that were applied. Safe to
 * run from several processes at once. `onLockWait` is called when a migration waits for who holds its table.
 */
export async function migrateDatabase(
  { ownerUrl, url }: DatabaseAddresses,
  options: { onLockWait?: () => void } = {},
): Promise<string[]> {
  // Its schema engine is a megabyte of WebAssembly, of no use to who only asks for the addresses.
  const { applyMigrations } = await import('./migrations.ts');
  const role = hasOwnRole({ ownerUrl, url }) ? roleOf(url) : undefined;
  const applied = await applyMigrations(ownerUrl, { ...options, ...(role === undefined ? {} : { role }) });
  if (role !== undefined) await grantApplicationRights(ownerUrl, role);
  return applied;
}

/** Whether the application signs in under a role that does not own the tables. */
export function hasOwnRole({ ownerUrl, url }: DatabaseAddresses): boolean {
  return roleOf(url) !== roleOf(ownerUrl);
}
