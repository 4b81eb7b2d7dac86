import { CASE_LABELS } from '#app/_studio/words.ts';
import { parisDay } from '#lib/core/text/paris-day.ts';
import { withMember } from '#lib/http/middleware/with-member.ts';
import { attachment } from '#lib/http/responses/attachment.ts';
import { byteStream } from '#lib/http/responses/byte-stream.ts';
import { apiPath } from '#lib/http/routes/api-path.ts';
import { withStudio } from '#lib/http/runtime/studio.ts';
import { exportJournal } from '#lib/studio/journal/export-journal.ts';
import { journalFilters } from '#lib/studio/journal/list-generations.ts';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = apiPath({
  GET: withMember(
    {
      id: 'exportJournal',
      summary: 'Exporter le journal',
      description: 'Les lignes que les filtres laissent, en CSV, envoyées à mesure qu’elles sont lues.',
      tag: 'Exports',
      dialect: 'studio',
      permission: 'generate',
      query: journalFilters,
      answers: { 200: { description: 'Le fichier', contentType: 'text/csv' } },
    },
    async (ctx, { query, request }) => {
      const pieces = await exportJournal(withStudio(ctx, request), {
        filters: query,
        caseWords: CASE_LABELS,
      });
      const day = parisDay(ctx.clock.now());
      return attachment(byteStream(pieces), `journal-${day}.csv`, 'text/csv; charset=utf-8');
    },
  ),
});
