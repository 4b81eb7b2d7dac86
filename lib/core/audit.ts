import { type Expression, type Selectable, sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { activeSpan } from './active-span.ts';
import { actorLabel } from './actor.ts';
import type { AuditDraft, AuditEvent } from './audit-actions.ts';
import type { Context } from './context.ts';
import { createId } from './ids.ts';

export type { AuditAction, AuditDetail, AuditDraft, AuditEvent, AuditFamily } from './audit-actions.ts';

/** Entries as JSON, for a statement that writes them together with the change that they tell of. */
export function auditRecords(
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditDraft[],
): string {
  const at = ctx.clock.now();
  const traceId = activeSpan()?.traceId ?? null;
  const rows = events.map((event) => ({
    id: createId('audit', at),
    accountId: event.accountId,
    at,
    action: event.action,
    actor: actorLabel(ctx.actor),
    subjectType: event.subject?.type ?? null,
    subjectId: event.subject?.id ?? null,
    data: event.data ?? {},
    requestId: ctx.requestId,
    traceId,
  }));
  return JSON.stringify(rows);
}

const COLUMNS = [
  'id',
  'accountId',
  'at',
  'action',
  'actor',
  'subjectType',
  'subjectId',
  'data',
  'requestId',
  'traceId',
] as const;

/** `insertInto('AuditEntry').columns(AUDIT_ENTRY.columns)` and what to select from `auditEntries`. */
export const AUDIT_ENTRY = {
  columns: COLUMNS,
  select: COLUMNS.map((name) => `entry.${name}` as const),
};

/** The entries of `auditRecords` as a table named `entry`, for a statement that writes them with the change that they tell of. */
export function auditEntries(records: Expression<string>) {
  return sql<Selectable<DB['AuditEntry']>>`jsonb_to_recordset(${records}::jsonb)`.as<'entry'>(
    sql`entry("id" text, "accountId" text, "at" timestamptz, "action" text, "actor" text, "subjectType" text,
      "subjectId" text, "data" jsonb, "requestId" text, "traceId" text)`,
  );
}

const insertEntries = prepared('audit.insert', (db, p: Params<{ records: string }>) =>
  db
    .insertInto('AuditEntry')
    .columns(AUDIT_ENTRY.columns)
    .expression((eb) => eb.selectFrom(auditEntries(p.records)).select(AUDIT_ENTRY.select)),
);

/** Writes entries of the audit trail, in the transaction of the change that they tell of: neither exists without the other. No entry, no round trip. */
export async function recordAudits(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await insertEntries.run(on, { records: auditRecords(ctx, events) });
}
