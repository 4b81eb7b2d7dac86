import { withMember } from '#lib/http/middleware/with-member.ts';
import { textStream } from '#lib/http/responses/text-stream.ts';
import { exportAudit } from '#lib/identity/audit/export-audit.ts';
import { auditFilters } from '../filters.ts';

/** The filtered audit trail as a file, streamed a page at a time. */
export const GET = withMember({
  permission: 'audit.read',
  async handle(ctx, { request }) {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const format = query.format === 'json' ? 'json' : 'csv';
    const pieces = await exportAudit(ctx, { ...auditFilters(query), format });
    const day = ctx.clock.now().toISOString().slice(0, 10);
    return new Response(textStream(pieces), {
      headers: {
        'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-${day}.${format}"`,
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    });
  },
});
