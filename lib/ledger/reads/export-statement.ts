import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { type Micros, usdFromMicros } from '#lib/core/money.ts';
import { csvHead, csvLine } from '#lib/core/text/csv.ts';
import { LINE_LABELS } from '#lib/messages/ledger.ts';
import { utcMonth } from '../month.ts';
import { readStatementLines, type StatementLine, type StatementPage } from './read-statement.ts';

const PAGE = 500;

const COLUMNS = [
  'Date (UTC)',
  'Ligne',
  'Mouvement ($US)',
  'Retenu ($US)',
  'Solde après ($US)',
  'Retenu après ($US)',
  'Génération',
  'Auteur',
  'Note',
  'Identifiant',
];

/**
 * A member's month as a French spreadsheet opens it, a page of the ledger at a time; without a member, the caller's own, without
 * a month, the current one. Errors, before the first piece and at each page after it: those of `readStatementLines`.
 */
export async function exportStatement(
  ctx: Context<AccountActor>,
  input: { memberId?: string | undefined; month?: string | undefined },
): Promise<{ month: string; pieces: AsyncGenerator<string> }> {
  const month = input.month ?? utcMonth(ctx.clock.now());
  const memberId = input.memberId || ctx.actor.memberId;
  const first = await readStatementLines(ctx, { memberId, month, limit: PAGE });
  return { month, pieces: pieces(ctx, first) };
}

async function* pieces(ctx: Context<AccountActor>, first: StatementPage): AsyncGenerator<string> {
  const { memberId, month } = first;
  yield csvHead(COLUMNS);
  for (let page = first; ; ) {
    yield page.lines.map((line) => lineOf(ctx, line)).join('');
    if (!page.nextAfter) return;
    const now = await withCurrentRights(ctx);
    page = await readStatementLines(now, { memberId, month, after: page.nextAfter, limit: PAGE });
  }
}

function lineOf(ctx: Context<AccountActor>, line: StatementLine): string {
  return csvLine([
    line.at.toISOString(),
    LINE_LABELS[line.kind],
    amount(line.amountMicros),
    amount(line.heldMicros),
    amount(line.balanceAfterMicros),
    amount(line.heldAfterMicros),
    line.generationId ?? '',
    line.actor === actorLabel(ctx.actor) ? 'moi' : line.actor,
    line.note ?? '',
    line.id,
  ]);
}

const amount = (micros: Micros) => ({ number: usdFromMicros(micros).toFixed(6).replace('.', ',') });
