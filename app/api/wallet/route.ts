import { withMember } from '#lib/http/middleware/with-member.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { viewWallet, walletQuery, walletSchema } from '#lib/ledger/reads/schemas.ts';

export const dynamic = 'force-dynamic';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'readWallet',
      summary: 'Lire le solde et les plafonds',
      description: 'Les siens, ou pour un fondateur ceux de tout membre du compte.',
      tag: 'Portefeuille',
      dialect: 'studio',
      scope: 'studio:read',
      query: walletQuery,
      answers: { 200: { description: 'Le portefeuille', schema: walletSchema } },
      errors: ['not_found'],
    },
    async (ctx, { query }) => {
      const memberId = query.memberId || ctx.actor.memberId;
      return { body: viewWallet(await readWallet(ctx, { memberId })) };
    },
  ),
});
