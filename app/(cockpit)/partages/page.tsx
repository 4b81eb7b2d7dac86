import { Share2 } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, number } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { LastTime, Time } from '#app/_ui/text/time.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import {
  countShares,
  listShares,
  SHARES_A_PAGE,
  type ShareBlock,
  type ShareView,
} from '#lib/storage/shares/list-shares.ts';
import { NewShare, Withdraw } from './controls.tsx';

export const metadata: Metadata = { title: 'Partages' };

const nameOf = (share: ShareView) => share.name ?? 'Fichier sans titre';

const BLOCKS: Record<ShareBlock, string> = {
  account: 'compte fermé',
  suspended: 'membre suspendu',
  removed: 'membre retiré',
  rights: 'droit retiré',
};

/**
 * The share links that have not ended: a member's own, or all of the account for a founder. With `?espace=` or `?fichier=`, a form creates a
 * link to that Space's context or that file.
 */
export default memberPage({}, async ({ ctx, query, now }) => {
  const page = pageOf(query.page);
  const [shares, all, spaces] = await Promise.all([
    listShares(ctx, { page }),
    countShares(ctx),
    query.espace ? listSpaceNames(ctx) : [],
  ]);
  const place = placeOn({
    page,
    size: SHARES_A_PAGE,
    shown: shares.length,
    total: all,
    words: count(all, 'lien'),
  });
  const isWhole = place.isFirst && place.isLast;
  const space = spaces.find(({ id }) => id === query.espace);
  const isFounder = ctx.actor.role === 'FOUNDER';
  const open = shares.filter(({ blockedBy }) => blockedBy === null).length;
  const blocked = shares.length - open;
  // Which links are blocked is known only for the links of this page.
  const said = isWhole
    ? `${count(open, 'lien ouvert', 'liens ouverts')}${blocked > 0 ? `, ${count(blocked, 'qui ne s’ouvre pas', 'qui ne s’ouvrent pas')}` : ''}`
    : count(all, 'lien');
  const columns: Column<ShareView>[] = [
    {
      key: 'name',
      label: 'Partagé',
      primary: true,
      className: 'max-sm:block',
      render: (share) => (
        <span className="block min-w-0">
          <Link
            href={
              share.kind === 'space' ? `/espaces/${share.spaceId}` : `/journal/${share.generationId ?? ''}`
            }
            className="wrap-anywhere block font-medium hover:underline"
          >
            {nameOf(share)}
          </Link>
          <span className="block font-normal text-ink-faint text-xs">
            {share.kind === 'space' ? 'Contexte d’un espace' : 'Fichier'}
            {isFounder && share.memberName ? ` · ${share.memberName}` : null}
          </span>
          {share.blockedBy ? (
            <span className="block font-normal text-warn text-xs">
              Ne s’ouvre pas&nbsp;: {BLOCKS[share.blockedBy]}
            </span>
          ) : null}
        </span>
      ),
    },
    {
      key: 'views',
      label: 'Ouvertures',
      render: (share) => <span className="tabular">{number(share.views)}</span>,
    },
    {
      key: 'downloads',
      label: 'Téléchargements',
      render: (share) =>
        share.kind === 'space' ? '–' : <span className="tabular">{number(share.downloads)}</span>,
    },
    {
      key: 'seen',
      label: 'Dernière ouverture',
      render: (share) => <LastTime at={share.lastViewedAt} now={now} />,
    },
    { key: 'made', label: 'Créé', render: (share) => <Time at={share.createdAt} now={now} /> },
    { key: 'ends', label: 'Prend fin', render: (share) => <Time at={share.expiresAt} now={now} /> },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (share) => (
        <span className="flex justify-end max-sm:-ml-2.5 max-sm:justify-start">
          <Withdraw shareId={share.id} name={nameOf(share)} />
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Partages"
        description={`${said}. Qui a l’adresse voit ce qu’elle montre, sans compte, et rien d’autre.`}
      />
      {query.espace && !space ? (
        <Notice tone="warn" className="mb-8">
          Cet espace est archivé, n’existe plus ou ne vous est pas ouvert&nbsp;: son contexte ne se partage
          pas. Un espace archivé se réactive depuis la page «&nbsp;Espaces&nbsp;».
        </Notice>
      ) : null}
      {space || query.fichier ? (
        <Section
          title={space ? `Partager le contexte de «\u00a0${space.name}\u00a0»` : 'Partager ce fichier'}
          className="mb-8 max-w-xl"
        >
          <NewShare
            key={space?.id ?? query.fichier}
            shared={space ? 'space' : 'file'}
            subject={space?.id ?? query.fichier ?? ''}
          />
        </Section>
      ) : null}
      <DataTable
        caption={isFounder ? 'Partages du compte' : 'Vos partages'}
        columns={columns}
        rows={shares}
        rowKey={(share) => share.id}
        empty={
          place.isFirst ? (
            <EmptyState
              icon={Share2}
              title="Montrer un fichier ou un contexte sans ouvrir le compte"
              className="py-10"
            >
              «&nbsp;Partager&nbsp;», sous un fichier du journal ou dans le menu d’un espace, donne une
              adresse qui prend fin et se retire.
            </EmptyState>
          ) : null
        }
      />
      {isWhole ? null : (
        <Pagination
          summary={place.summary}
          previousHref={place.isFirst ? undefined : at(page - 1)}
          nextHref={place.isLast ? undefined : at(page + 1)}
        />
      )}
    </>
  );
});

const at = (page: number) => withQuery('/partages', { page: page > 1 ? String(page) : undefined });
