import { trace } from '@opentelemetry/api';
import { actorLabel } from './actor.ts';
import type { Context } from './context.ts';
import type { Database, Transaction } from './database.ts';
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
