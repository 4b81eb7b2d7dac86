import { Images, LayoutGrid, ListChecks, Rows3, Sparkles } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { memberChoices } from '#app/_cockpit/member-choices.ts';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { compareHref, isQueue, journalHref, readIds } from '#app/_studio/journal/filters/query.ts';
import { ignoredNote, readAddress } from '#app/_studio/journal/filters/read-address.ts';
import { ShownFilters } from '#app/_studio/journal/filters/shown-filters.tsx';
import { Journal } from '#app/_studio/journal/journal.tsx';
import { KIND_ICONS } from '#app/_studio/kind-icons.ts';
import { pageStudio } from '#app/_studio/page-studio.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Status } from '#app/_ui/data/badge.tsx';
import { count, number } from '#app/_ui/format.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { hasPermission } from '#lib/core/actor.ts';
import { listMemberNames } from '#lib/identity/members/list-member-names.ts';
import { productsOf } from '#lib/products/registry.ts';
import { countGenerations, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { JOURNAL_COUNT_LIMIT } from '#lib/studio/limits.ts';
import { listFilters } from '#lib/studio/saved-filters/list-filters.ts';

export const metadata: Metadata = { title: 'Journal' };
/** In seconds. Deleting the files of many generations updates them one after the other. */
export const maxDuration = 120;

/** What a first visit draws: more than a screen holds. The rest follows before the reader comes to it (`foot.tsx`). */
const FIRST_ROWS = 24;

const ICONS = Object.fromEntries(
  Object.entries(KIND_ICONS).map(([kind, drawing]) => [
    kind,
    <Icon of={drawing} key={kind} size={14} strokeWidth={1.75} />,
  ]),
);

/** All generations of the account, newest first. The filters and the layout (grid or table) are in the address. */
export default memberPage(
  { permission: 'generate', action: 'consulter le journal du Studio' },
  async ({ ctx, query, now }) => {
    const address = readAddress(query);
    const ignored = ignoredNote(address, query);
    const studio = pageStudio(ctx);
    // Links made before comparisons had their own page.
    const compared = readIds(query.comparer);
    if (compared.length > 1) redirect(compareHref(compared));
    // Run together, because none needs the result of another.
    const [first, total, members, saved] = await Promise.all([
      listGenerations(studio, { ...address.filters, limit: FIRST_ROWS }),
      countGenerations(studio, address.filters),
      listMemberNames(ctx),
      listFilters(ctx),
    ]);
    const canGenerate = hasPermission(ctx.actor, 'generate');
    const filtered = Object.keys(address.filters).length > 0;
    const queued = isQueue(address.filters);
    const products = [...productsOf(ctx.actor.accountId), { id: 'libre', name: 'Libre' }].map(
      ({ id, name }) => ({ id, name }),
    );
    const create = canGenerate ? (
      <LinkButton href="/creer" variant="primary" icon={Sparkles}>
        Créer
      </LinkButton>
    ) : null;
    return (
      <>
        <PageHeader
          title={queued ? 'À vérifier' : 'Journal'}
          description={
            // Read out by screen readers: a filter changes the list without loading another page.
            <span role="status">
              {queued
                ? `${said(total, 'génération attend', 'générations attendent')} une décision.`
                : filtered
                  ? `${said(total, 'génération correspond', 'générations correspondent')} à ces filtres.`
                  : 'Chaque génération du compte\u00a0: son fichier, son état, ce qu’elle a coûté.'}
            </span>
          }
          action={
            <>
              <ViewToggle view={address.view} query={query} />
              {create}
            </>
          }
        />
        {ignored ? (
          <Notice tone="warn" className="mb-4">
            {ignored}
          </Notice>
        ) : null}
        {total > 0 || filtered || saved.length > 0 ? (
          <ShownFilters
            query={query}
            address={address}
            products={products}
            members={memberChoices(members, address.asked.memberId)}
            saved={saved}
            total={total}
          />
        ) : null}
        {first.generations.length === 0 ? (
          <Nothing filtered={filtered} isQueue={queued} create={create} />
        ) : (
          <Journal
            key={journalHref(query, { vue: null })}
            first={first}
            total={total}
            address={address}
            query={query}
            names={Object.fromEntries(members.map(({ id, name }) => [id, name]))}
            icons={ICONS}
            memberId={ctx.actor.memberId}
            canGenerate={canGenerate}
            now={now.toISOString()}
          />
        )}
      </>
    );
  },
);

/** The number of rows with its noun and verb, or « Plus de … » above the number that is counted. */
const said = (total: number, one: string, many: string) =>
  total > JOURNAL_COUNT_LIMIT ? `Plus de ${number(JOURNAL_COUNT_LIMIT)} ${many}` : count(total, one, many);

function ViewToggle({
  view,
  query,
}: {
  view: 'planche' | 'table';
  query: Record<string, string | undefined>;
}) {
  const link = (name: 'planche' | 'table', label: string, drawing: IconDrawing) => (
    <Link
      href={journalHref(query, { vue: name === 'table' ? 'table' : null })}
      scroll={false}
      aria-label={label}
      data-tip={label}
      aria-current={view === name ? 'true' : undefined}
      className={cx(
        'touch grid h-8 w-9 place-items-center rounded-[6px] border text-ink-soft hover:text-ink',
        view === name ? 'border-line-strong bg-raised text-ink' : 'border-transparent',
      )}
    >
      <Icon of={drawing} size={16} />
    </Link>
  );
  return (
    <nav
      aria-label="Présentation"
      className="inline-flex gap-0.5 rounded-md border border-line bg-sunken p-0.5"
    >
      {link('planche', 'Planche-contact', LayoutGrid)}
      {link('table', 'Tableau', Rows3)}
    </nav>
  );
}

function Nothing({
  filtered,
  isQueue,
  create,
}: {
  filtered: boolean;
  isQueue: boolean;
  create: React.ReactNode;
}) {
  if (isQueue)
    return (
      <EmptyState
        icon={ListChecks}
        title="Tout est vérifié"
        action={<LinkButton href="/journal">Voir tout le journal</LinkButton>}
      >
        Ce que le Studio livre attend ici d’être approuvé ou rejeté&nbsp;; sans avis, un fichier est supprimé
        au bout de 30&nbsp;jours.
      </EmptyState>
    );
  if (filtered)
    return (
      <EmptyState
        icon={Images}
        title="Aucune génération ne correspond à ces filtres"
        action={<LinkButton href="/journal">Retirer les filtres</LinkButton>}
      >
        Rien n’est perdu&nbsp;: le journal garde toutes ses lignes.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={Images}
      title="Le journal raconte tout ce que le Studio fabrique"
      action={create}
      example={
        <div className="flex items-center justify-between gap-3 text-sm">
          <span className="min-w-0 truncate">Bougie ambrée sur une table en chêne, lumière du matin</span>
          <span className="flex items-center gap-3">
            <span className="font-mono text-ink-soft">0,03&nbsp;$US</span>
            <Status status="done" />
          </span>
        </div>
      }
    >
      Chaque demande y laisse une ligne&nbsp;: le fichier, l’état, le montant retenu puis débité, ou pourquoi
      rien ne l’a été.
    </EmptyState>
  );
}
