import { Badge } from '#app/_ui/data/badge.tsx';
import type { EndpointView } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '#lib/webhooks/events.ts';
import type { EventChoice } from './controls.tsx';

/** The event types with their labels and descriptions. */
export function choicesOf(types: readonly WebhookEventType[]): EventChoice[] {
  return types.map((type) => {
    const { label, description } = WEBHOOK_EVENTS[type];
    return { type, label, description };
  });
}

/** The state of an endpoint, as a badge. */
export function EndpointState({ row, now }: { row: EndpointView; now: Date }) {
  if (row.disabledAt) return <Badge tone={row.disabledReason === 'member' ? 'mute' : 'fail'}>Arrêtée</Badge>;
  if (row.isOrphan) return <Badge tone="warn">Sans membre actif</Badge>;
  if (row.restsUntil && row.restsUntil > now) return <Badge tone="fail">Ne répond pas</Badge>;
  if (row.failures > 0) return <Badge tone="warn">Refuse des envois</Badge>;
  return <Badge tone="ok">En service</Badge>;
}
