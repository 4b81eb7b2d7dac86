import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { byteStream } from '#lib/http/responses/byte-stream.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { exportStatement } from '#lib/ledger/reads/export-statement.ts';
import { statementQuery } from '#lib/ledger/reads/schemas.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'exportStatement',
      summary: 'Le relevé d’un mois',
      description:
        'Chaque ligne du mois, en CSV. Le sien, ou pour un fondateur celui de tout membre du compte.',
      tag: 'Portefeuille',
      dialect: 'studio',
      scope: 'studio:read',
      query: statementQuery,
      answers: { 200: { description: 'Le relevé', contentType: 'text/csv' } },
      errors: ['not_found'],
    },
    async (ctx, { query }) => {
      const { month, pieces } = await exportStatement(ctx, query);
      return attachment(byteStream(pieces), `releve-${month}.csv`, 'text/csv; charset=utf-8');
    },
  ),
});
