import { z } from 'zod';
import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import { apiPath } from '#lib/http/middleware/with-credential.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { validate } from '#lib/http/requests/validate.ts';
import { isMonth, utcMonth } from '#lib/ledger/month.ts';
import { readStatement, type StatementLine } from '#lib/ledger/read-statement.ts';

export const dynamic = 'force-dynamic';

const query = z.object({
  month: z.string().refine(isMonth, 'Le mois s’écrit AAAA-MM, par exemple 2026-11.').optional(),
  memberId: z.string().max(40).optional(),
});

const HEAD = [
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
const WORDS = { GRANT: 'Crédit accordé', RESERVE: 'Montant retenu', SETTLE: 'Débité', REFUND: 'Remboursé' };

/** A member's month as a spreadsheet reads it in French: semicolons, decimal commas, sent as it is read. */
export const { GET, POST, PUT, PATCH, DELETE } = apiPath({
  GET: withMember({
    async handle(ctx, { request }) {
      const url = new URL(request.url);
      const asked = validate(query, Object.fromEntries(url.searchParams), 'invalid');
      const month = asked.month ?? utcMonth(ctx.clock.now());
      const memberId = asked.memberId || ctx.actor.memberId;
      const first = await readStatement(ctx, { memberId, month, limit: 500 });
      return new Response(stream(ctx, { memberId, month, first }), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': `attachment; filename="releve-${month}.csv"`,
          'Cache-Control': 'private, no-store',
          'X-Content-Type-Options': 'nosniff',
          'Content-Security-Policy': "default-src 'none'; sandbox",
        },
      });
    },
  }),
});

type Reading = { memberId: string; month: string; first: Awaited<ReturnType<typeof readStatement>> };

function stream(ctx: Context<AccountActor>, { memberId, month, first }: Reading): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let page: Reading['first'] | null = first;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`\ufeff${HEAD.map(cell).join(';')}\r\n`));
    },
    async pull(controller) {
      if (!page) return controller.close();
      const { lines, nextAfter } = page;
      controller.enqueue(encoder.encode(lines.map((line) => row(ctx, line)).join('')));
      page = nextAfter ? await readStatement(ctx, { memberId, month, after: nextAfter, limit: 500 }) : null;
    },
  });
}

function row(ctx: Context<AccountActor>, line: StatementLine): string {
  const author = line.actor === actorLabel(ctx.actor) ? 'moi' : line.actor;
  return `${[
    line.at.toISOString(),
    WORDS[line.kind],
    amount(line.amountMicros),
    amount(line.heldMicros),
    amount(line.balanceAfterMicros),
    amount(line.heldAfterMicros),
    cell(line.generationId ?? ''),
    cell(author),
    cell(line.note ?? ''),
    line.id,
  ].join(';')}\r\n`;
}

const amount = (micros: bigint) => usdFromMicros(micros).toFixed(6).replace('.', ',');

/** Quoted where it must be; a text that a spreadsheet would run as a formula starts with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
