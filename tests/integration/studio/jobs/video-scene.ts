import { createHmac } from 'node:crypto';
import type { Actor, SystemJob } from '#lib/core/actor.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { acceptVideoWebhook } from '#lib/studio/webhooks/accept-video-webhook.ts';
import { request, type StudioScene } from '#tests/factories/studio.ts';
import type { TestService } from '#tests/setup/service.ts';

export const VEO = { kind: 'video', case: 'veo', brief: 'Une flamme qui vacille', durationSeconds: 4 };
export const MINUTE = 60_000;

/** The context of a member, as a job of the service has it. */
export const asSystem = (ctx: StudioContext, job: SystemJob = 'generations-sweep') => ({
  ...ctx,
  actor: { type: 'system' as const, job },
});

/** What the audit says of a subject, in its order. */
export const audits = async (service: TestService, subjectId: string) =>
  (await service.db.auditEntry.findMany({ where: { subjectId }, orderBy: { id: 'asc' } })).map(
    ({ action, data }) => ({ action, data }),
  );

/** The kinds of the lines that a generation has in the ledger, in their order. */
export const kindsOf = async (service: TestService, generationId: string) =>
  (await service.db.ledgerLine.findMany({ where: { generationId }, orderBy: { position: 'asc' } })).map(
    (line) => line.kind,
  );

/** A video that was submitted, with what its member was answered. */
export async function started(scene: StudioScene, body: Record<string, unknown> = VEO) {
  const { row, outcome } = await submitGeneration(scene.ctx, { request: request(body) });
  return { row, outcome };
}

/** The provider's own call about a row, under the secret that the row was given. */
export async function webhookOf(
  service: TestService,
  scene: StudioScene,
  row: { id: string; providerJobId: string | null },
) {
  const { providerWebhookSecret } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
  const rawBody = JSON.stringify({ jobId: row.providerJobId });
  return () => {
    const at = Math.floor(scene.clock.now().getTime() / 1_000);
    const mark = createHmac('sha256', providerWebhookSecret ?? '')
      .update(`${at}.${rawBody}`)
      .digest('hex');
    const system: StudioContext<Actor> = asSystem(scene.ctx, 'video-webhook');
    return acceptVideoWebhook(system, { generationId: row.id, rawBody, signature: `t=${at},v1=${mark}` });
  };
}
