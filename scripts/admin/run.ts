import type { Command } from 'commander';
import type { AccountActor, AdminActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import { connect } from '#lib/db/connection.ts';
import type { Database } from '#lib/db/types.ts';
import { isOperatorMissing, OPERATOR_MISSING } from '#lib/identity/members/operator-missing.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { openBlobServer } from '#lib/local/blob/server.ts';
import { dataFolder } from '#lib/local/paths.ts';
import { withDatabase } from '#lib/local/prisma/with-database.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';

/** A refusal of the shell itself: an unknown name, a missing folder. */
export class AdminError extends Error {}

/** What was typed cannot be right, whatever the database holds. */
export class MisuseError extends AdminError {}

/** Exit codes, the same with and without `--json`. */
export const EXIT = { done: 0, refused: 1, misused: 2, incomplete: 3 } as const;

export type AdminContext = Context<AdminActor>;

/**
 * Runs one command on the configured database, else on the embedded one (started for it when nothing runs). `work` returns
 * what `--json` prints; `say` prints it for a person; `exit` says what the result is worth, when not always done.
 */
export async function run<T>(
  options: { json?: boolean },
  work: (ctx: AdminContext) => Promise<T>,
  say: (result: T) => void,
  exit: (result: T) => number = () => EXIT.done,
): Promise<void> {
  const result = await withDatabase(async ({ url }) => {
    const connection = connect({ url, poolMax: 4 });
    try {
      const log = createLogger({
        write: (line) => process.stderr.write(`${line}\n`),
        now: () => new Date(),
        minLevel: 'warn',
      });
      const done = await work({
        actor: { type: 'admin' },
        db: connection.db,
        kysely: connection.kysely,
        clock: systemClock,
        log,
        requestId: createId('request'),
      });
      // Beside the answer, which programs read: after the work, so that naming it is not followed by this.
      if (await isOperatorMissing(connection)) process.stderr.write(`${OPERATOR_MISSING}\n`);
      return done;
    } finally {
      await connection.close();
    }
  });
  if (options.json) console.log(JSON.stringify(result, jsonValue));
  else say(result);
  process.exitCode = exit(result);
}

/**
 * The context with the configured file store, else the embedded one of the data folder, served for as long as the work takes
 * (a server that runs meanwhile shares the folder). A configured database without a store has none.
 */
export async function withFileStore<T>(
  ctx: AdminContext,
  work: (ctx: FilesContext<AdminActor>) => Promise<T>,
): Promise<T> {
  const token = process.env.BLOB_READ_WRITE_TOKEN?.trim() || null;
  const storeApiUrl = process.env.VERCEL_BLOB_API_URL?.trim() || null;
  const isEmbedded = !process.env.DATABASE_URL?.trim();
  if (token || !isEmbedded) {
    const store = token ? vercelBlobStore({ token }) : null;
    if (storeApiUrl) routeBlobHosts(storeApiUrl);
    return work({ ...ctx, files: { store, storeToken: token, storeApiUrl } });
  }
  const server = await openBlobServer({ dataDir: dataFolder() });
  try {
    process.env.VERCEL_BLOB_API_URL = server.apiUrl;
    routeBlobHosts(server.apiUrl);
    const store = vercelBlobStore({ token: server.token });
    return await work({
      ...ctx,
      files: { store, storeToken: server.token, storeApiUrl: server.apiUrl },
    });
  } finally {
    await server.close();
  }
}

function jsonValue(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

async function oneOf<T extends { id: string; name: string }>(
  what: string,
  given: string | undefined,
  rows: Promise<T[]>,
): Promise<T> {
  const found = await rows;
  if (found.length === 1) return found[0] as T;
  if (found.length === 0)
    throw new AdminError(
      given === undefined ? `Aucun ${what} : créez-en un d’abord.` : `Aucun ${what} « ${given} ».`,
    );
  const list = found.slice(0, 10).map(({ id, name }) => `  ${id}  ${name}`);
  throw new AdminError(`Plusieurs correspondent (${what}) ; donnez l’identifiant :\n${list.join('\n')}`);
}

/** The account named or identified; the only one there is when nothing is given. */
export function findAccount(db: Database, given: string | undefined) {
  const where =
    given === undefined
      ? {}
      : { OR: [{ id: given }, { name: { equals: given, mode: 'insensitive' as const } }] };
  return oneOf('compte', given, db.account.findMany({ where, take: 11, orderBy: { createdAt: 'asc' } }));
}

/** A member of the account by e-mail, name or identifier; its first founder when nothing is given. */
export async function findMember(db: Database, accountId: string, given: string | undefined) {
  if (given === undefined) {
    const founder = await db.member.findFirst({
      where: { accountId, role: 'FOUNDER', status: 'ACTIVE' },
      orderBy: { createdAt: 'asc' },
    });
    if (!founder) throw new AdminError('Ce compte n’a pas de fondateur actif.');
    return founder;
  }
  const same = { equals: given, mode: 'insensitive' as const };
  return oneOf(
    'membre',
    given,
    db.member.findMany({
      where: { accountId, status: { not: 'REMOVED' }, OR: [{ id: given }, { email: same }, { name: same }] },
      take: 11,
    }),
  );
}

export function findSpace(db: Database, accountId: string, given: string | undefined) {
  const where =
    given === undefined
      ? {}
      : { OR: [{ id: given }, { name: { equals: given, mode: 'insensitive' as const } }] };
  return oneOf(
    'espace',
    given,
    db.space.findMany({
      where: { accountId, archivedAt: null, ...where },
      take: 11,
      orderBy: { createdAt: 'asc' },
    }),
  );
}

/** The context of a member of the account, for verbs that act as one. */
export async function asMember(
  ctx: AdminContext,
  accountId: string,
  given: string | undefined,
): Promise<Context<AccountActor>> {
  const member = await findMember(ctx.db, accountId, given);
  return {
    ...ctx,
    actor: {
      type: 'member',
      sessionId: 'admin',
      accountId,
      memberId: member.id,
      role: member.role,
      permissions: member.permissions as never,
      operator: false,
      verifiedAt: ctx.clock.now(),
    },
  };
}

/** A key of the account by name or identifier; among keys of one name, the only one that still works. */
export async function findKey(db: Database, accountId: string, given: string) {
  const same = { name: { equals: given, mode: 'insensitive' as const } };
  const found = await db.developerKey.findMany({
    where: { accountId, OR: [{ id: given }, same] },
    orderBy: { createdAt: 'desc' },
    take: 500,
  });
  if (found.length === 0) throw new AdminError(`Aucune clé « ${given} ».`);
  const live = found.filter(({ id, revokedAt }) => id === given || revokedAt === null);
  return oneOf('clé', given, Promise.resolve(live.length > 0 ? live : found));
}

/** A whole number typed as an argument or an option. */
export function integer(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new MisuseError(`« ${text} » n’est pas un nombre entier.`);
  return Number(text);
}

/** One value of a closed list, typed as an option. */
export function oneOfList<T extends string>(what: string, list: readonly T[]): (text: string) => T {
  return (text) => {
    const found = list.find((item) => item === text);
    if (!found) throw new MisuseError(`${what} inconnu : choisissez parmi ${list.join(', ')}.`);
    return found;
  };
}

/** Adds `--account` and `--json`. */
export function withAccount(command: Command): Command {
  return command
    .option('--account <compte>', 'nom ou identifiant du compte (le seul, par défaut)')
    .option('--json', 'un seul objet JSON');
}
