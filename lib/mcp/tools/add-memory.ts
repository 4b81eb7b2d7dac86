import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { viewAdded } from '#lib/brain/memories/view-memory.ts';
import { isAddedUnder } from '#lib/brain/queries/is-added-under.ts';
import { addedMemorySchema, addMemoryBody } from '#lib/brain/schemas/memories.ts';
import type { CredentialActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { idempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { namedSpace, pillarArgument, spaceIdArgument } from './arguments.ts';
import { contentKey, LATE_MS, lateContentKey } from './content-key.ts';
import { defineTool } from './tool.ts';

export const addMemoryTool = defineTool({
  name: 'brain_add_memory',
  title: 'Ajouter une mémoire',
  description:
    'Ajoute un texte titré à un pilier d’un espace, dans la limite de la capacité du compte. Rien n’est modifié ni supprimé. Rappeler l’outil avec les mêmes arguments n’ajoute rien de plus et rend la même mémoire. `similar` nomme celles qui disent presque la même chose. Ne coûte aucune lecture.',
  scope: 'brain:write',
  isWrite: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: addMemoryBody.extend({
    pillar: pillarArgument,
    spaceId: spaceIdArgument,
    idempotencyKey: idempotencyKey.optional().meta({
      description:
        'Clé choisie par vous, une par mémoire, reprise telle quelle si vous réessayez. Sans elle, le contenu lui-même sert de clé pour la journée.',
    }),
  }),
  output: addedMemorySchema,
  async run(ctx, { idempotencyKey: key, ...input }) {
    if (Buffer.byteLength(JSON.stringify(input)) > MAX_MEMORY_REQUEST_BYTES)
      throw new ServiceError('payload_too_large', {
        params: { limit: MAX_MEMORY_REQUEST_BYTES.toLocaleString('fr-FR') },
      });
    const { pillar, parentId, title, body } = input;
    const spaceId = await namedSpace(ctx, input.spaceId);
    const added = await addMemory(ctx, {
      ...input,
      spaceId,
      source: 'MCP',
      idempotencyKey: key ?? (await keyOf(ctx, [spaceId, pillar, parentId, title, body])),
      keyIsContent: key === undefined,
    });
    return viewAdded(added);
  },
});

/** The idempotency key of a call that gave none: yesterday's when the same call was made under it moments ago, else today's. */
async function keyOf(ctx: Context<CredentialActor>, asked: readonly unknown[]): Promise<string> {
  const now = ctx.clock.now();
  const late = lateContentKey(now, ...asked);
  const since = new Date(now.getTime() - LATE_MS);
  if (late !== null && (await isAddedUnder(ctx, { key: late, since }))) return late;
  return contentKey(now, ...asked);
}
