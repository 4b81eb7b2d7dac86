import { parisDay } from '#lib/core/text/paris-day.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { byteStream } from '#lib/http/responses/byte-stream.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { exportAudit } from '#lib/identity/audit/export-audit.ts';
import { auditExportQuery } from '#lib/identity/schemas.ts';
import { auditFilters } from '../filters.ts';

export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'exportAudit',
      summary: 'Exporter l’audit',
      description: 'La piste filtrée, en CSV ou en JSON, envoyée à mesure qu’elle est lue.',
      tag: 'Exports',
      dialect: 'brain',
      permission: 'audit.read',
      query: auditExportQuery,
      answers: { 200: { description: 'Le fichier', contentType: 'text/csv, application/json' } },
    },
    async (ctx, { query: { format, ...filters }, request }) => {
      const head = request.method === 'HEAD';
      const pieces = await exportAudit(ctx, { ...auditFilters(filters), format, head });
      const day = parisDay(ctx.clock.now());
      const type = format === 'csv' ? 'text/csv' : 'application/json';
      const body = head ? new Uint8Array() : byteStream(pieces);
      return attachment(body, `audit-${day}.${format}`, `${type}; charset=utf-8`);
    },
  ),
});
