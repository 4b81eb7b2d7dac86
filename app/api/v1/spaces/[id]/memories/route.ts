import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { viewAdded } from '#lib/brain/memories/view-memory.ts';
import { noQuery, spacePath } from '#lib/brain/schemas/fields.ts';
import { addedMemorySchema, addMemoryBody, idempotencyHeaders } from '#lib/brain/schemas/memories.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withCredential(
    {
      id: 'addMemory',
      summary: 'Ajouter une mémoire',
      description:
        'Une mémoire, sur un pilier, dans la limite de la capacité. La même clé d’idempotence avec le même contenu rend la même mémoire (200, `Idempotent-Replayed: true`), même supprimée depuis\u00a0; elle vaut jusqu’à ce que la mémoire soit effacée, 30 jours après sa suppression. `similar` nomme les mémoires qui disent presque la même chose\u00a0: rien n’est refusé. Ne coûte aucune lecture.',
      tag: 'Mémoires',
      scope: 'brain:write',
      isWrite: true,
      path: spacePath,
      query: noQuery,
      headers: idempotencyHeaders,
      body: { type: 'json', schema: addMemoryBody, maxBytes: MAX_MEMORY_REQUEST_BYTES },
      answers: {
        201: {
          description: 'La mémoire créée',
          schema: addedMemorySchema,
          headers: { Location: 'Adresse où lire la mémoire' },
        },
        200: {
          description: 'La mémoire déjà créée sous cette clé',
          schema: addedMemorySchema,
          headers: { 'Idempotent-Replayed': '`true`\u00a0: rien n’a été écrit de nouveau' },
        },
      },
      errors: ['pillar_invalid', 'capacity_full', 'not_found', 'idempotency_conflict'],
    },
    {
      handle: async (ctx, { path, headers: sent, body: asked }) => {
        const added = await addMemory(ctx, {
          ...asked,
          spaceId: path.id,
          source: 'API',
          idempotencyKey: sent['idempotency-key'],
        });
        const body = viewAdded(added);
        const headers: Record<string, string> = added.replayed
          ? { 'Idempotent-Replayed': 'true' }
          : { Location: `/api/v1/memories/${body.id}` };
        return { status: added.replayed ? 200 : 201, body, headers };
      },
    },
  ),
});
