import { Columns2 } from 'lucide';
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Compare } from '#app/_studio/compare/compare.tsx';
import { compareHref, readIds } from '#app/_studio/journal/filters/query.ts';
import { pageStudio } from '#app/_studio/page-studio.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { listGenerationsById } from '#lib/studio/journal/list-generations-by-id.ts';

export const metadata: Metadata = { title: 'Comparaison' };

const GUARD = { permission: 'generate', action: 'consulter le journal du Studio' } as const;

/** Two to four generations side by side. Their identifiers are in the address. */
export default memberPage(GUARD, async ({ ctx, query }) => {
  const ids = readIds(query.ids);
  const rows = ids.length > 1 ? await listGenerationsById(pageStudio(ctx), { generationIds: ids }) : [];
  const onlyDifferences = query.differences === '1';
  const missing = ids.length - rows.length;
  return (
    <>
      <PageHeader
        title="Comparaison"
        crumbs={[{ label: 'Comparaison' }]}
        description={
          rows.length > 1
            ? `${count(rows.length, 'génération')}\u00a0: ce qui diffère de la première est marqué.`
            : 'Deux à quatre générations côte à côte.'
        }
        action={
          rows.length > 1 ? (
            <LinkButton href={compareHref(ids, !onlyDifferences)} scroll={false} replace>
              {onlyDifferences ? 'Montrer tout' : 'Seulement ce qui diffère'}
            </LinkButton>
          ) : null
        }
      />
      {missing > 0 && ids.length > 1 ? (
        <Notice tone="warn" className="mb-4">
          {missing > 1
            ? `${missing} des générations à comparer n’existent pas dans ce compte.`
            : 'Une des générations à comparer n’existe pas dans ce compte.'}
        </Notice>
      ) : null}
      {rows.length > 1 ? (
        <Compare rows={rows} onlyDifferences={onlyDifferences} />
      ) : (
        <EmptyState
          icon={Columns2}
          title="Rien à comparer ici"
          action={<LinkButton href="/journal">Choisir dans le journal</LinkButton>}
        >
          Choisissez deux à quatre générations du journal, puis «&nbsp;Comparer&nbsp;».
        </EmptyState>
      )}
    </>
  );
});
