import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { errorBody } from '#lib/http/responses/respond.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { previewDraft } from '#lib/studio/preview/preview-draft.ts';
import { generationDraft, MAX_STUDIO_REQUEST_BYTES, previewSchema } from '#lib/studio/schemas.ts';
import { variantsQuery } from '#lib/studio/variants-schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

const UNAVAILABLE: readonly ErrorCode[] = ['not_configured', 'composition-unavailable'];
const isRefusal = ({ code, status }: ServiceError) =>
  code !== 'forbidden' && (status < 500 || UNAVAILABLE.includes(code));

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  POST: withMember(
    {
      id: 'previewGeneration',
      summary: 'Ce qu’une demande ferait',
      description:
        'Le prompt, le montant qui serait retenu, le solde d’après\u00a0; ou le refus que la demande recevrait. N’écrit et ne débite rien.',
      tag: 'Générations',
      dialect: 'studio',
      scope: 'studio:generate',
      permission: 'generate',
      query: variantsQuery,
      body: { type: 'json', schema: generationDraft, maxBytes: MAX_STUDIO_REQUEST_BYTES },
      answers: { 200: { description: 'L’aperçu, ou le refus', schema: previewSchema } },
    },
    async (ctx, { query, body, request }) => {
      try {
        return { body: await previewDraft(withStudio(ctx, request), { draft: body, ...query }) };
      } catch (error) {
        // A draft that is not finished, or that no service here can make, is no error of the page: its refusal is the answer.
        if (error instanceof ServiceError && isRefusal(error))
          return { body: { refused: errorBody(error).error } };
        throw error;
      }
    },
  ),
});
