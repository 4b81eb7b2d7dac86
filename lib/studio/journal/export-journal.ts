import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type CsvCell, csvHead, csvLine } from '#lib/core/text/csv.ts';
import { parisTime } from '#lib/core/text/paris-day.ts';
import type { AssetState } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { listMemberNames } from '#lib/identity/members/list-member-names.ts';
import { FILE_STATE_LABELS } from '#lib/messages/storage.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { findProduct } from '#lib/products/registry.ts';
import type { StudioContext } from '../context.ts';
import { type JournalFilters, type JournalPage, listGenerations } from './list-generations.ts';
import type { GenerationView } from './view.ts';

/** Rows read at once: one question for them, one for what was decided of their files. */
const PAGE = 500;

const COLUMNS = [
  'Date (heure de Paris)',
  'État',
  'Type',
  'Cas',
  'Demande',
  'Produit',
  'Membre',
  'Modèle d’IA',
  'Retenu ($US)',
  'Débité ($US)',
  'Fichiers',
  'Vérification',
  'Raison du rejet',
  'Close le (heure de Paris)',
  'Identifiant',
];

type CaseWords = Readonly<Record<string, string>>;
type Words = { names: ReadonlyMap<string, string>; caseWords: CaseWords };
type Judged = { generationId: string | null; state: AssetState; reviewReason: string | null };

const findJudged = prepared('studio.judged', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('Asset')
    .select(['generationId', 'state', 'reviewReason'])
    .where('accountId', '=', p.accountId)
    .where(isAnyOf('generationId', p.ids))
    .where('deletedAt', 'is', null)
    .orderBy('generationId')
    .orderBy('position'),
);

/**
 * The rows that the filters leave, newest first, as a French spreadsheet opens them: a page of the database at a time, whatever the length of
 * the journal. Times are those of Paris, as pages tell them and as the filters count days. Amounts are in dollars, with six decimals; a
 * formula that somebody typed as a request is text. `caseWords`: the cases by the name that members know; one that is not there keeps its
 * own. Errors, after the first page: `forbidden` for who lost the right meanwhile.
 */
export async function exportJournal(
  ctx: StudioContext<AccountActor>,
  input: { filters: JournalFilters; caseWords?: CaseWords },
): Promise<AsyncGenerator<string>> {
  const [first, members] = await Promise.all([
    listGenerations(ctx, { ...input.filters, limit: PAGE }),
    listMemberNames(ctx),
  ]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return pieces(ctx, input.filters, first, { names, caseWords: input.caseWords ?? {} });
}

async function* pieces(
  ctx: StudioContext<AccountActor>,
  filters: JournalFilters,
  first: JournalPage,
  words: Words,
): AsyncGenerator<string> {
  yield csvHead(COLUMNS);
  for (let page = first; ; ) {
    const judged = Map.groupBy(await judgedOf(ctx, page.generations), ({ generationId }) => generationId);
    yield page.generations.map((row) => csvLine(cellsOf(ctx, row, judged.get(row.id) ?? [], words))).join('');
    if (!page.nextCursor) return;
    const now = await withCurrentRights(ctx);
    if (!hasPermission(now.actor, 'generate')) throw new ServiceError('forbidden');
    page = await listGenerations(now, { ...filters, limit: PAGE, cursor: page.nextCursor });
  }
}

async function judgedOf(
  ctx: StudioContext<AccountActor>,
  rows: readonly GenerationView[],
): Promise<Judged[]> {
  const ids = rows.filter(({ files }) => files.length > 0).map(({ id }) => id);
  return ids.length > 0 ? findJudged.all(ctx.kysely, { accountId: ctx.actor.accountId, ids }) : [];
}

function cellsOf(
  ctx: StudioContext<AccountActor>,
  row: GenerationView,
  files: readonly Judged[],
  { names, caseWords }: Words,
): CsvCell[] {
  const each = (words: readonly (string | null)[]) =>
    [...new Set(words.filter((word) => word !== null))].join(', ');
  return [
    parisTime(new Date(row.createdAt)),
    row.label,
    KIND_LABELS[row.kind],
    row.case === null ? '' : (caseWords[row.case] ?? row.case),
    row.params.brief ?? '',
    findProduct(ctx.actor.accountId, row.productId)?.name ?? row.productId,
    names.get(row.memberId) ?? row.memberId,
    row.modelId ?? '',
    amount(row.heldUsd),
    row.costUsd === null ? '' : amount(row.costUsd),
    { number: String(row.files.filter(({ deletedAt }) => deletedAt === null).length) },
    each(files.map(({ state }) => FILE_STATE_LABELS[state])),
    each(files.map(({ reviewReason }) => reviewReason)),
    row.closedAt === null ? '' : parisTime(new Date(row.closedAt)),
    row.id,
  ];
}

const amount = (usd: number): CsvCell => ({ number: usd.toFixed(6).replace('.', ',') });
