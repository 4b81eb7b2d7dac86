import { conditionalHeaders, noQuery } from '#lib/brain/schemas/fields.ts';
import { withCredential } from '#lib/http/middleware/with-credential.ts';
import { TAGGED, UP_TO_DATE_COPY } from '#lib/http/openapi/words.ts';
import { conditionalOn } from '#lib/http/responses/conditional.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { viewWallet, walletSchema } from '#lib/ledger/reads/schemas.ts';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withCredential(
    {
      id: 'getWallet',
      summary: 'Lire le solde et les plafonds',
      description:
        'Ceux du membre, et le plafond par mois de la clé ou de l’application qui lit. Ne coûte aucune lecture du quota.',
      tag: 'Studio',
      scope: 'studio:read',
      dialect: 'studio',
      query: noQuery,
      headers: conditionalHeaders,
      answers: {
        200: { description: 'Le portefeuille', schema: walletSchema, headers: TAGGED },
        304: { description: UP_TO_DATE_COPY, headers: TAGGED },
      },
    },
    {
      handle: async (ctx, { request }) =>
        conditionalOn(request, viewWallet(await readWallet(ctx, { memberId: ctx.actor.memberId }))),
    },
  ),
});
