import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { type Proposed, type ProposeInput, proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { proposalSchema, proposeMemoryBody } from '#lib/brain/schemas/proposals.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';
import { namedSpace, pillarArgument, spaceArgument } from './arguments.ts';
import { defineTool } from './tool.ts';

export const proposeMemoryTool = defineTool({
  name: 'brain_propose_memory',
  title: 'Proposer une mémoire',
  description:
    'Propose un nouveau texte (spaceId et pillar), ou un changement à une mémoire (memoryId, avec le titre et le texte entiers tels qu’ils deviendraient). Rien n’est écrit\u00a0: un membre du compte voit la différence dans Atelier et l’accepte, la modifie ou la refuse. Proposer deux fois la même chose rend la première proposition. À préférer à brain_add_memory quand la personne n’a pas demandé d’écrire. Ne coûte aucune lecture.',
  scope: 'brain:propose',
  isWrite: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: proposeMemoryBody.extend({
    spaceId: spaceArgument.optional().meta({
      description: 'Pour une nouvelle mémoire\u00a0: l’espace où elle irait, par son identifiant ou son nom',
    }),
    pillar: pillarArgument.optional(),
  }),
  output: proposalSchema,
  async run(ctx, { memoryId, spaceId, pillar, title, body, note }) {
    if (Buffer.byteLength(JSON.stringify({ title, body })) > MAX_MEMORY_REQUEST_BYTES)
      throw new ServiceError('payload_too_large', {
        params: { limit: MAX_MEMORY_REQUEST_BYTES.toLocaleString('fr-FR') },
      });
    const place = placeOf({
      memoryId,
      pillar,
      spaceId: spaceId === undefined ? undefined : await namedSpace(ctx, spaceId),
    });
    return viewProposed(await proposeMemory(ctx, { place, title, body, note: note?.trim() || null }));
  },
});

type Given = {
  memoryId: string | undefined;
  spaceId: string | undefined;
  pillar: Extract<ProposeInput['place'], { pillar: unknown }>['pillar'] | undefined;
};

function placeOf({ memoryId, spaceId, pillar }: Given): ProposeInput['place'] {
  if (memoryId !== undefined && spaceId === undefined && pillar === undefined) return { memoryId };
  if (memoryId === undefined && spaceId !== undefined && pillar !== undefined) return { spaceId, pillar };
  const message = 'Donnez memoryId seul (un changement), ou spaceId et pillar (une nouvelle mémoire).';
  throw new ServiceError('invalid_request', { message, problems: [{ field: 'memoryId', message }] });
}

const until = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});

function viewProposed({ id, state, spaceId, memoryId, reason, expiresAt }: Proposed) {
  return {
    object: 'proposal' as const,
    id,
    state: state === 'WAITING' ? ('waiting' as const) : ('refused' as const),
    spaceId,
    memoryId,
    reason,
    expiresAt: expiresAt.toISOString(),
    message:
      state === 'WAITING'
        ? `La proposition attend qu’un membre l’accepte, jusqu’au ${ordinalDay(until, expiresAt)}, heure de Paris. Rien n’est écrit d’ici là.`
        : 'Un membre a déjà refusé cette même proposition. Ne la refaites pas telle quelle.',
  };
}
