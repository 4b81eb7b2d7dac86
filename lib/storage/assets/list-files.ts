import { sql } from 'kysely';
import { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isStorableInstant } from '#lib/core/input/storable-instant.ts';
import { AssetState, AssetType } from '#lib/db/generated/prisma/enums.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isBeyondPlace } from '#lib/db/values.ts';
import { fileGone } from '../refusals.ts';

export const filesQuery = z.strictObject({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'Combien de fichiers par page' }),
  cursor: z.string().max(200).optional().meta({ description: 'Le `nextCursor` de la page d’avant' }),
});

export const fileIdPath = z.object({ id: z.string().meta({ description: 'Identifiant du fichier' }) });

/** A file that a generation left, as a program reads it. */
export const fileSchema = z
  .object({
    object: z.literal('file'),
    id: z.string(),
    generationId: z.string().nullable(),
    productId: z.string(),
    type: z.enum(AssetType),
    contentType: z.string(),
    bytes: z.int(),
    width: z.int().nullable(),
    height: z.int().nullable(),
    durationMs: z.int().nullable(),
    state: z.enum(AssetState).meta({ description: 'Ce que la vérification en dit' }),
    reviewReason: z
      .string()
      .nullable()
      .meta({ description: 'Pourquoi il est rejeté, tel qu’un membre l’a dit' }),
    createdAt: z.iso.datetime(),
    contentUrl: z.string().meta({ description: 'Chemin de ses octets, lus sous les mêmes identifiants' }),
  })
  .meta({ id: 'File' });

export const fileListSchema = z.object({
  object: z.literal('list'),
  data: z.array(fileSchema),
  nextCursor: z.string().nullable(),
});

type Row = {
  id: string;
  generationId: string | null;
  productId: string;
  type: AssetType;
  pathname: string;
  contentType: string;
  bytes: bigint;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  state: AssetState;
  reviewReason: string | null;
  createdAt: Date;
};

const COLUMNS = [
  ...(['id', 'generationId', 'productId', 'type', 'pathname', 'contentType', 'bytes'] as const),
  ...(['width', 'height', 'durationMs', 'state', 'reviewReason', 'createdAt'] as const),
] as const;

type PageParams = { accountId: string; limit: number; at: string | null; id: string | null };

const findPage = prepared('storage.files', (db, p: Params<PageParams>) => {
  // One index range for each state, each as short as the page: no account is sorted whole, and no deleted file is read.
  const ofState = (state: AssetState) =>
    db
      .selectFrom('Asset')
      .select(COLUMNS)
      .where('accountId', '=', p.accountId)
      .where('state', '=', sql.lit(state))
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .where('imported', '=', sql.lit(false))
      .where(isBeyondPlace('<', ['createdAt', 'id'], [p.at, p.id]))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit);
  const [first, ...others] = Object.values(AssetState).map((state) =>
    db.selectFrom(ofState(state).as('page')).selectAll(),
  );
  if (!first) throw new Error('an asset has no state');
  return db
    .selectFrom(others.reduce((all, one) => all.unionAll(one), first).as('files'))
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit);
});

/** A page of the files that the account's generations left and that can still be read, newest first. Errors: `invalid` for a cursor that is none of ours. */
export async function listFiles(
  ctx: Context<AccountActor>,
  { limit, cursor }: z.output<typeof filesQuery>,
): Promise<z.output<typeof fileListSchema>> {
  const { at, id } = cursor === undefined ? { at: null, id: null } : readCursor(cursor);
  const { accountId } = ctx.actor;
  const rows = await findPage.all(ctx.kysely, { accountId, limit: limit + 1, at, id });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    object: 'list',
    data: page.map(viewFile),
    nextCursor:
      rows.length > limit && last
        ? Buffer.from(`${last.createdAt.toISOString()}|${last.id}`).toString('base64url')
        : null,
  };
}

const findFile = prepared('storage.file', (db, p: Params<{ id: string; accountId: string }>) =>
  db
    .selectFrom('Asset')
    .select(COLUMNS)
    .where('id', '=', p.id)
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null)
    .where('expiringAt', 'is', null)
    .where('imported', '=', sql.lit(false)),
);

/** One file of the account, and where it is kept. Errors: `not_found`. */
export async function readFile(
  ctx: Context<AccountActor>,
  input: { id: string },
): Promise<{ view: z.output<typeof fileSchema>; pathname: string }> {
  const row = await findFile.first(ctx.kysely, { id: input.id, accountId: ctx.actor.accountId });
  if (!row) throw fileGone(input.id);
  return { view: viewFile(row), pathname: row.pathname };
}

function viewFile({ pathname: _, bytes, createdAt, ...row }: Row): z.output<typeof fileSchema> {
  return {
    object: 'file',
    ...row,
    bytes: Number(bytes),
    createdAt: createdAt.toISOString(),
    contentUrl: `/api/v1/files/${row.id}/content`,
  };
}

function readCursor(cursor: string): { at: string; id: string } {
  const [text = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('|');
  const at = new Date(text);
  if (isStorableInstant(at) && /^ast_[0-9a-z]{26}$/.test(id)) return { at: at.toISOString(), id };
  const message = 'Ce curseur n’est pas valide\u00a0: reprenez au début.';
  throw new ServiceError('invalid', { detail: 'cursor', problems: [{ field: 'cursor', message }] });
}
