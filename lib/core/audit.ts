import { trace } from '@opentelemetry/api';
import { type Expression, type Selectable, sql } from 'kysely';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { actorLabel } from './actor.ts';
import type { AuditDraft, AuditEvent } from './audit-actions.ts';
import type { Context } from './context.ts';
import { createId } from './ids.ts';

export type { AuditAction, AuditDetail, AuditDraft, AuditEvent, AuditFamily } from './audit-actions.ts';

/** The columns that `auditRecords` fills, and how to read them back from its JSON in a statement. */
export const AUDIT_COLUMNS =
  '"id", "accountId", "at", "action", "actor", "subjectType", "subjectId", "data", "requestId", "traceId"';
export const AUDIT_RECORD = `AS entry("id" text, "accountId" text, "at" timestamptz, "action" text, "actor" text,
  "subjectType" text, "subjectId" text, "data" jsonb, "requestId" text, "traceId" text)`;

/** Entries as JSON, for a statement that writes them together with the change that they tell of. */
export function auditRecords(
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditDraft[],
): string {
  const at = ctx.clock.now();
  const traceId = trace.getActiveSpan()?.spanContext().traceId ?? null;
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

/** The same entries, in one statement, for verbs that write with prepared statements. No entry, no round trip. */
export async function recordAudits(
  on: Executor | SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const records = auditRecords(ctx, events);
  if ('executeQuery' in on) await insertEntries.run(on, { records });
  else
    await on.rows(
      'audit.insert',
      `INSERT INTO "AuditEntry" (${AUDIT_COLUMNS}) SELECT ${AUDIT_COLUMNS} FROM jsonb_to_recordset($1::jsonb) ${AUDIT_RECORD}`,
      [records],
    );
}
