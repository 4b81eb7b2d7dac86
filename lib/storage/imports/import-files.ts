import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { plural } from '#lib/core/text/plural.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { findProduct } from '#lib/products/registry.ts';
import { importedFolder } from '../pathnames.ts';
import { MANIFEST_LIMITS, type ManifestProblem, type ManifestRow, readManifest } from './manifest.ts';

type FilesImportReport = {
  /** Lines that say something. */
  files: number;
  created: number;
  /** Imported before, and left as they are. */
  unchanged: number;
  /** What the new ones weigh where they lie; none of it counts in the account's room. */
  bytes: number;
  dryRun: boolean;
};

const BATCH = 1_000;

type Known = { id: string; type: string; contentType: string; bytes: bigint; createdAt: Date };

/**
 * Writes the rows of a manifest of the former application's files, whose bytes stay where they are and are never touched. All of it or
 * nothing; run again, it adds what is new and changes nothing that is there, whatever was decided about it since. Audited
 * `asset.imported`. The shell and the operator's founders; else `forbidden`. Errors: `not_found` for the account or member,
 * `invalid_request` whose problems name line and field.
 */
export async function importFiles(
  ctx: Context<Actor>,
  input: { accountId: string; memberId: string; manifest: string; dryRun?: boolean },
): Promise<FilesImportReport> {
  if (!hasPermission(ctx.actor, 'service.operate')) throw new ServiceError('forbidden');
  const { accountId, memberId } = input;
  const now = ctx.clock.now();
  const { rows, problems } = readManifest(input.manifest, now);
  refuse(problems);
  return transaction(ctx, async (tx) => {
    await lockImports(tx, accountId);
    const { memberIds, memberOf } = await readMembers(tx, accountId);
    if (!memberIds.has(memberId))
      throw new ServiceError('not_found', { message: 'Ce membre n’est pas dans ce compte.' });
    const known = await readKnown(tx, accountId, rows);
    refuse([...unknownNames(rows, { accountId, memberOf, known }), ...otherFacts(rows, known)]);
    const fresh = rows.filter(({ path }) => !known.has(path));
    const report = {
      files: rows.length,
      created: fresh.length,
      unchanged: rows.length - fresh.length,
      bytes: fresh.reduce((sum, { bytes }) => sum + bytes, 0),
      dryRun: input.dryRun ?? false,
    };
    if (report.dryRun || fresh.length === 0) return report;
    const ids = new Map([...known].map(([path, { id }]) => [path, id]));
    for (const { path, createdAt } of fresh) ids.set(path, createId('asset', createdAt));
    // Ancestors first: a row is written after the one that it names.
    const ordered = ancestorsFirst(fresh);
    for (let at = 0; at < ordered.length; at += BATCH)
      await tx
        .insertInto('Asset')
        .values(
          ordered.slice(at, at + BATCH).map((row) => ({
            id: ids.get(row.path) as string,
            accountId,
            memberId: row.email === null ? memberId : (memberOf.get(row.email) as string),
            productId: row.productId,
            generationId: null,
            type: row.type,
            state: row.state,
            pathname: importedFolder(accountId) + row.path,
            contentType: row.contentType,
            bytes: BigInt(row.bytes),
            imported: true,
            width: row.width,
            height: row.height,
            durationMs: row.durationMs,
            ancestorId: row.ancestor === null ? null : (ids.get(row.ancestor) as string),
            createdAt: row.createdAt,
            reviewedAt: row.reviewedAt,
            updatedAt: now,
          })),
        )
        .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'asset.imported',
        accountId,
        subject: { type: 'account', id: accountId },
        data: {
          files: report.files,
          created: report.created,
          bytes: report.bytes,
          memberId,
          sha256: createHash('sha256').update(input.manifest).digest('hex'),
        },
      },
    ]);
    return report;
  });
}

/** One import of an account at a time: two would find the same paths new. */
async function lockImports(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx
    .selectFrom('Account')
    .select(['id', 'closedAt'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!account || account.closedAt)
    throw new ServiceError('not_found', { message: 'Ce compte est introuvable, ou fermé.' });
}

/** Members of the account, those who left too; and by address those who have one, which who was removed has no more. */
async function readMembers(
  tx: Transaction,
  accountId: string,
): Promise<{ memberIds: Set<string>; memberOf: Map<string, string> }> {
  const members = await tx
    .selectFrom('Member')
    .select(['id', 'email'])
    .where('accountId', '=', accountId)
    .execute();
  const addressed = members.flatMap(({ id, email }) => (email ? [[email.toLowerCase(), id] as const] : []));
  return { memberIds: new Set(members.map(({ id }) => id)), memberOf: new Map(addressed) };
}

/** What was imported before, among the paths that the rows name: those of this account alone. */
async function readKnown(
  tx: Transaction,
  accountId: string,
  rows: readonly ManifestRow[],
): Promise<Map<string, Known>> {
  const folder = importedFolder(accountId);
  const paths = [...new Set(rows.flatMap(({ path, ancestor }) => (ancestor ? [path, ancestor] : [path])))];
  const found = await tx
    .selectFrom('Asset')
    .select(['id', 'pathname', 'type', 'contentType', 'bytes', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('imported', '=', sql.lit(true))
    .where(
      isAnyOf(
        'pathname',
        paths.map((path) => folder + path),
      ),
    )
    .execute();
  return new Map(found.map(({ pathname, ...row }) => [pathname.slice(folder.length), row]));
}

function* unknownNames(
  rows: readonly ManifestRow[],
  names: { accountId: string; memberOf: ReadonlyMap<string, string>; known: ReadonlyMap<string, Known> },
): Generator<ManifestProblem> {
  const paths = new Set(rows.map(({ path }) => path));
  for (const { line, productId, email, ancestor } of rows) {
    const field = (name: string) => `ligne ${line}, ${name}`;
    // An unregistered product belongs to whoever has rows of it: a manifest must not claim one.
    if (!findProduct(names.accountId, productId))
      yield { field: field('product'), message: sentences.productUnknown };
    if (email !== null && !names.memberOf.has(email))
      yield { field: field('member'), message: 'Aucun membre de ce compte n’a cette adresse.' };
    if (ancestor !== null && !paths.has(ancestor) && !names.known.has(ancestor))
      yield {
        field: field('ancestor'),
        message: 'Ce chemin n’est ni dans le manifeste, ni déjà importé.',
      };
  }
}

function* otherFacts(
  rows: readonly ManifestRow[],
  known: ReadonlyMap<string, Known>,
): Generator<ManifestProblem> {
  for (const row of rows) {
    const before = known.get(row.path);
    if (!before) continue;
    const was: [string, boolean][] = [
      ['type', before.type === row.type],
      ['contentType', before.contentType === row.contentType],
      ['bytes', Number(before.bytes) === row.bytes],
      ['createdAt', before.createdAt.getTime() === row.createdAt.getTime()],
    ];
    for (const [name, isSame] of was)
      if (!isSame)
        yield {
          field: `ligne ${row.line}, ${name}`,
          message: 'Ce fichier a déjà été importé avec une autre valeur.',
        };
  }
}

function ancestorsFirst(rows: readonly ManifestRow[]): ManifestRow[] {
  const byPath = new Map(rows.map((row) => [row.path, row]));
  const placed = new Set<string>();
  const ordered: ManifestRow[] = [];
  for (const row of rows) {
    const line: ManifestRow[] = [];
    for (let at: ManifestRow | undefined = row; at && !placed.has(at.path); ) {
      line.push(at);
      placed.add(at.path);
      at = at.ancestor === null ? undefined : byPath.get(at.ancestor);
    }
    ordered.push(...line.reverse());
  }
  return ordered;
}

function refuse(problems: readonly ManifestProblem[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, MANIFEST_LIMITS.problemsShown);
  const more = problems.length - shown.length;
  throw new ServiceError('invalid_request', {
    message:
      `Ce manifeste a ${problems.length} ${plural(problems.length, 'faute')}\u00a0: rien n’a été importé.` +
      (more > 0 ? ` Les ${shown.length} premières suivent.` : ''),
    problems: shown,
  });
}
