import { Webhook } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { count } from '#app/_ui/format.ts';
import { PageCrumbs } from '#app/_ui/shell/crumbs.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { LastTime } from '#app/_ui/text/time.tsx';
import { COUNTED, type EndpointView, listEndpoints } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { SUBSCRIBABLE, subscribableBy } from '#lib/webhooks/events.ts';
import { CreateEndpoint } from './controls.tsx';
import { choicesOf, EndpointState } from './endpoint-state.tsx';
import { DeveloperTabs } from './tabs.tsx';

export const metadata: Metadata = { title: 'Événements' };

/** The webhook endpoints of the account. */
export default memberPage({}, async ({ ctx, now }) => {
  const endpoints = await listEndpoints(ctx);
  const create = <CreateEndpoint choices={choicesOf(subscribableBy(ctx.actor))} />;
  const columns: Column<EndpointView>[] = [
    {
      key: 'address',
      label: 'Adresse',
      primary: true,
      className: 'max-sm:block',
      render: (row) => (
        <Link
          href={`/developpeurs/evenements/${row.id}`}
          className="wrap-anywhere block min-w-0 underline-offset-4 hover:underline"
        >
          <span className="block font-medium">{row.host}</span>
          <span className="block font-normal text-ink-faint text-xs">
            {new URL(row.url).pathname}
            {row.member.id === ctx.actor.memberId ? null : ` · ${row.member.name}`}
          </span>
        </Link>
      ),
    },
    { key: 'state', label: 'État', render: (row) => <EndpointState row={row} now={now} /> },
    {
      key: 'events',
      label: 'Événements',
      render: (row) => <Badge tip={row.events.join(', ')}>{count(row.events.length, 'événement')}</Badge>,
    },
    { key: 'last', label: 'Dernier envoi', render: (row) => <LastTime at={row.lastDeliveredAt} now={now} /> },
    { key: 'waiting', label: 'En attente', numeric: true, render: (row) => counted(row.waiting) },
    { key: 'failed', label: 'Échecs', numeric: true, render: (row) => counted(row.failed) },
  ];
  return (
    <>
      <PageCrumbs items={[{ label: 'Événements' }]} />
      <PageHeader
        title="Événements"
        description="Une adresse abonnée est prévenue de ce qui arrive dans le compte, sans avoir à le demander."
        action={create}
      />
      <DeveloperTabs active="events" />
      <div className="grid gap-12">
        <DataTable
          caption="Adresses abonnées"
          columns={columns}
          rows={endpoints}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon={Webhook}
              title="Vos programmes peuvent être prévenus"
              action={create}
              className="py-10"
            >
              Une mémoire ajoutée, une génération terminée, un seuil atteint&nbsp;: Atelier le dit à l’adresse
              de votre choix, signé, et recommence pendant un jour si elle ne répond pas.
            </EmptyState>
          }
        />
        <Section
          title="Ce qui est envoyé"
          description={
            'Des identifiants et des chiffres, jamais un texte ni une consigne\u00a0: le reste se lit par l’API.'
          }
          className="max-w-3xl"
          action={
            <p className="text-sm">
              <Link href="/docs/evenements#recevoir" className="text-accent-ink underline underline-offset-4">
                Vérifier une signature
              </Link>
              {' · '}
              <Link href="/docs/evenements" className="text-accent-ink underline underline-offset-4">
                Documentation des événements
              </Link>
            </p>
          }
        >
          <dl className="divide-y divide-line border-line border-y text-sm">
            {choicesOf(SUBSCRIBABLE).map(({ type, label, description }) => (
              <div key={type} className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[14rem_1fr]">
                <dt>
                  <span className="block font-medium">{label}</span>
                  <code className="font-mono text-ink-faint text-xs">{type}</code>
                </dt>
                <dd className="text-ink-soft">{description}</dd>
              </div>
            ))}
          </dl>
        </Section>
      </div>
    </>
  );
});

const counted = (rows: number) => (rows >= COUNTED ? `${COUNTED}\u00a0ou plus` : rows);
