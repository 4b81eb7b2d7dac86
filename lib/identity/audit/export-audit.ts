import type { AccountActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { csvHead, csvLine } from '#lib/core/text/csv.ts';
import { type AuditFilters, type AuditPage, type AuditView, readAudit } from './read-audit.ts';

const PAGE = 500;
type AuditFormat = 'csv' | 'json';

const COLUMNS = [
  'date (UTC)',
  'action',
  'auteur',
  'nom de l’auteur',
  'type de l’objet',
  'objet',
  'nom de l’objet',
  'détail',
  'requête',
  'trace',
];

function entryLine(entry: AuditView): string {
  return csvLine([
    entry.at.toISOString(),
    entry.action,
    entry.actor,
    entry.actorName ?? '',
    entry.subjectType ?? '',
    entry.subjectId ?? '',
    entry.subjectName ?? '',
    JSON.stringify(entry.data),
    entry.requestId,
    entry.traceId ?? '',
  ]);
}

/**
 * The whole filtered trail as text, read from the database a page at a time; the export itself is audited. CSV: UTF-8 with a byte order mark
 * and semicolons, as French spreadsheets open it. JSON: one array. `head`: only the headers are wanted, so nothing is read or audited. Errors:
 * `forbidden`, before the first piece and at each page, by the rights that apply then.
 */
export async function exportAudit(
  ctx: Context<AccountActor>,
  input: AuditFilters & { format: AuditFormat; head?: boolean },
): Promise<AsyncGenerator<string>> {
  const first = await readAudit(ctx, { ...input, limit: PAGE });
  const { accountId } = ctx.actor;
  if (!input.head)
    await recordAudits(ctx.kysely, ctx, [
      {
        action: 'audit.exported',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { format: input.format },
      },
    ]);
  return pieces(ctx, input, first);
}

async function* pieces(
  ctx: Context<AccountActor>,
  input: AuditFilters & { format: AuditFormat },
  first: AuditPage,
): AsyncGenerator<string> {
  const isCsv = input.format === 'csv';
  yield isCsv ? csvHead(COLUMNS) : '[';
  let before = '\n';
  for (let page = first; ; ) {
    let text = '';
    for (const entry of page.entries) {
      text += isCsv ? entryLine(entry) : `${before}${JSON.stringify(entry)}`;
      before = ',\n';
    }
    yield text;
    if (!page.nextCursor) break;
    const now = await withCurrentRights(ctx);
    page = await readAudit(now, { ...input, limit: PAGE, cursor: page.nextCursor });
  }
  if (!isCsv) yield '\n]\n';
}
