import { z } from 'zod';
import type { MemberRole, Permission } from '#lib/core/actor.ts';
import type { Problem } from '#lib/core/errors.ts';

const memory = {
  memoryId: z.string(),
  spaceId: z.string(),
  pillar: z.enum(['IDENTITY', 'GUIDELINES', 'KNOWLEDGE', 'ITEMS', 'PEOPLE']),
  version: z.int(),
};
const month = z.string().regex(/^\d{4}-\d{2}$/);

/**
 * Every event that an endpoint may be told, with its payload: identifiers and figures, never a title, a body or a prompt; a subscriber
 * reads the rest by the API. `permission`: the right that it takes to read what the event is of, asked of who created the endpoint
 * (`may_be_told` in the database). The one list for the cockpit, the documentation, the client and the checks.
 */
export const WEBHOOK_EVENTS = {
  'memory.added': {
    label: 'Mémoire ajoutée',
    description: 'Une mémoire vient d’être écrite, à la main, par un programme ou par un import.',
    data: z.object({ ...memory, change: z.literal('created') }),
  },
  'memory.changed': {
    label: 'Mémoire modifiée',
    description:
      'Une mémoire a été récrite (edited), déplacée (moved), ou rétablie depuis la corbeille ou une version antérieure (restored).',
    data: z.object({ ...memory, change: z.enum(['edited', 'moved', 'restored']) }),
  },
  'memory.deleted': {
    label: 'Mémoire supprimée',
    description:
      'Une mémoire est partie à la corbeille. Celles qu’elle contenait ont chacune leur événement.',
    data: z.object({ ...memory, change: z.literal('deleted') }),
  },
  'memory.proposed': {
    label: 'Mémoire proposée',
    description: 'Un assistant propose d’écrire\u00a0: un membre accepte ou refuse dans le cockpit.',
    data: z.object({ proposalId: z.string(), spaceId: z.string().nullable() }),
  },
  'generation.closed': {
    label: 'Génération terminée',
    description:
      'Une génération est finie\u00a0: livrée (completed), ou en échec et non débitée (failed, avec son code). Dit à qui peut demander des générations.',
    permission: 'generate',
    data: z.object({
      generationId: z.string(),
      kind: z.string(),
      status: z.enum(['completed', 'failed']),
      code: z.string().nullable(),
    }),
  },
  'quota.reached': {
    label: 'Seuil de quota atteint',
    description:
      'Les lectures du mois (reads) ou la capacité (capacity) ont atteint 80\u00a0% ou 100\u00a0%. Dit une fois par seuil et par mois.',
    data: z.object({ level: z.enum(['reads', 'capacity']), percent: z.int(), month }),
  },
  'credit.reached': {
    label: 'Seuil de dépense atteint',
    description:
      'La dépense du mois a atteint 80\u00a0% ou 100\u00a0% du plafond du compte (ceiling, percent), ou un multiple du seuil d’alerte (spend, multiple). Dit une fois par seuil et par mois, à qui peut demander des générations.',
    permission: 'generate',
    data: z.union([
      z.object({ level: z.literal('ceiling'), percent: z.int(), month }),
      z.object({ level: z.literal('spend'), multiple: z.int(), month }),
    ]),
  },
  'webhook.test': {
    label: 'Événement d’essai',
    description: 'Envoyé par le bouton d’essai, à l’adresse qu’il concerne et à nulle autre.',
    data: z.object({ endpointId: z.string() }),
  },
} as const satisfies Record<
  string,
  { label: string; description: string; permission?: Permission; data: z.ZodType }
>;

export type WebhookEventType = keyof typeof WEBHOOK_EVENTS;

/** What is posted, as JSON. `version` changes when a payload does in a way that could break a reader. */
export type WebhookEvent<T extends WebhookEventType = WebhookEventType> = {
  [One in T]: {
    type: One;
    version: 1;
    /** When it happened, ISO 8601 in UTC. */
    timestamp: string;
    data: z.output<(typeof WEBHOOK_EVENTS)[One]['data']>;
  };
}[T];

/** Events that one may subscribe to; the test is sent to whom asks for it. */
export const SUBSCRIBABLE: readonly WebhookEventType[] = (
  Object.keys(WEBHOOK_EVENTS) as WebhookEventType[]
).filter((type) => type !== 'webhook.test');

/** Events that a member with these rights is told of. */
export function subscribableBy(member: {
  role: MemberRole;
  permissions: readonly string[];
}): WebhookEventType[] {
  return SUBSCRIBABLE.filter((type) => {
    const { permission }: { label: string; permission?: Permission } = WEBHOOK_EVENTS[type];
    return permission === undefined || member.role === 'FOUNDER' || member.permissions.includes(permission);
  });
}

/** What is wrong with the events that a member asks for; null when nothing is. */
export function eventsProblem(
  member: { role: MemberRole; permissions: readonly string[] },
  events: readonly string[],
): Problem | null {
  const field = 'events';
  if (events.length === 0 || events.some((type) => !(SUBSCRIBABLE as readonly string[]).includes(type)))
    return { field, message: 'Cochez au moins un événement.' };
  const allowed: readonly string[] = subscribableBy(member);
  if (events.every((type) => allowed.includes(type))) return null;
  return {
    field,
    message:
      'Les générations et la dépense ne sont dites qu’à qui peut demander des générations. Un fondateur du compte peut vous donner ce droit.',
  };
}

export const EVENT_VERSION = 1;
