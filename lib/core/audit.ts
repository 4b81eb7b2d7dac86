import { trace } from '@opentelemetry/api';
import type { Database, SqlTransaction, Transaction } from '#lib/db/connection.ts';
import { actorLabel } from './actor.ts';
import type { Context } from './context.ts';
import { createId } from './ids.ts';

export type AuditEvent = {
  action: string;
  accountId: string | null;
  subject?: { type: string; id: string };
  /** Identifiers, counts and reasons; never a secret, a prompt or a file's content. */
  data?: Record<string, unknown>;
};

/**
 * Writes one entry of the audit trail. Give it the transaction of the change that it tells of, so that
 * neither exists without the other.
 */
export async function recordAudit(
  tx: Database | Transaction,
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  event: AuditEvent,
): Promise<void> {
  const at = ctx.clock.now();
  await tx.auditEntry.create({
    data: {
      id: createId('audit', at),
      accountId: event.accountId,
      at,
      action: event.action,
      actor: actorLabel(ctx.actor),
      subjectType: event.subject?.type ?? null,
      subjectId: event.subject?.id ?? null,
      data: (event.data ?? {}) as object,
      requestId: ctx.requestId,
      traceId: trace.getActiveSpan()?.spanContext().traceId ?? null,
    },
  });
}

/** The columns that `auditRecords` fills, and how to read them back from its JSON in a statement. */
export const AUDIT_COLUMNS =
  '"id", "accountId", "at", "action", "actor", "subjectType", "subjectId", "data", "requestId", "traceId"';
export const AUDIT_RECORD = `AS entry("id" text, "accountId" text, "at" timestamptz, "action" text, "actor" text,
  "subjectType" text, "subjectId" text, "data" jsonb, "requestId" text, "traceId" text)`;

/** Entries as JSON, for a statement that writes them together with the change that they tell of. */
export function auditRecords(
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditEvent[],
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

/** The same entries, in one statement, for verbs that write with prepared statements. No entry, no round trip. */
export async function recordAudits(
  sql: SqlTransaction,
  ctx: Pick<Context, 'actor' | 'clock' | 'requestId'>,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql.rows(
    'audit.insert',
    `INSERT INTO "AuditEntry" (${AUDIT_COLUMNS}) SELECT ${AUDIT_COLUMNS} FROM jsonb_to_recordset($1::jsonb) ${AUDIT_RECORD}`,
    [auditRecords(ctx, events)],
  );
}
