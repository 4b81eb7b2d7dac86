import { Inbox } from 'lucide';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Badge, type Tone } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { count, exactTime } from '#app/_ui/format.ts';
import { PageCrumbs } from '#app/_ui/shell/crumbs.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Mono } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { ServiceError } from '#lib/core/errors.ts';
import {
  type DeliveryState,
  type DeliveryView,
  listDeliveries,
} from '#lib/webhooks/deliveries/list-deliveries.ts';
import { COUNTED, getEndpoint } from '#lib/webhooks/endpoints/list-endpoints.ts';
import { WEBHOOK_EVENTS, type WebhookEventType } from '#lib/webhooks/events.ts';
import {
  ChangeEvents,
  RemoveEndpoint,
  ReplayFailed,
  ReplayOne,
  ResumeEndpoint,
  RotateSecret,
  StopEndpoint,
  TryEndpoint,
} from '../controls.tsx';
import { choicesOf, EndpointState } from '../endpoint-state.tsx';
import { DISABLED, lastAnswer } from '../event-words.ts';

export const metadata: Metadata = { title: 'Adresse abonnée' };

const STATES: Record<string, { state: DeliveryState; label: string }> = {
  attente: { state: 'PENDING', label: 'En attente' },
  echecs: { state: 'FAILED', label: 'Échecs' },
  recus: { state: 'DELIVERED', label: 'Reçus' },
};
const BADGES: Record<DeliveryState, { tone: Tone; label: string }> = {
  PENDING: { tone: 'run', label: 'En attente' },
  DELIVERED: { tone: 'ok', label: 'Reçu' },
  FAILED: { tone: 'fail', label: 'Échec' },
};

const eventOf = ({ type }: DeliveryView): string => WEBHOOK_EVENTS[type as WebhookEventType]?.label ?? type;

/** One webhook endpoint: its state, a test, and its deliveries. */
export default memberPage({}, async ({ ctx, params, query, now }) => {
  const endpointId = params.id ?? '';
  const row = await getEndpoint(ctx, { endpointId }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') notFound();
    throw error;
  });
  const filter = STATES[query.etat ?? ''];
  const before = /^\d{1,18}$/.test(query.avant ?? '') ? { before: BigInt(query.avant ?? '') } : {};
  const { deliveries, next } = await listDeliveries(ctx, {
    endpointId,
    ...(filter ? { state: filter.state } : {}),
    ...before,
  });
  const here = `/developpeurs/evenements/${row.id}`;
  const at = (state: string | undefined, position?: bigint) => {
    const search = new URLSearchParams({
      ...(state ? { etat: state } : {}),
      ...(position === undefined ? {} : { avant: String(position) }),
    });
    return search.size > 0 ? `${here}?${search}` : here;
  };
  const isOwn = row.member.id === ctx.actor.memberId;
  const named = { id: row.id, host: row.host };
  const columns: Column<DeliveryView>[] = [
    {
      key: 'event',
      label: 'Événement',
      primary: true,
      className: 'max-sm:block',
      render: (one) => (
        <span className="block min-w-0">
          <span className="block font-medium">{eventOf(one)}</span>
          <span className="block font-normal text-ink-faint text-xs">
            <Mono className="sm:max-xl:max-w-32">{one.id}</Mono>
          </span>
        </span>
      ),
    },
    { key: 'at', label: 'Arrivé', render: (one) => <Time at={one.at} now={now} /> },
    {
      key: 'state',
      label: 'État',
      render: (one) => <Badge tone={BADGES[one.state].tone}>{BADGES[one.state].label}</Badge>,
    },
    { key: 'attempts', label: 'Essais', numeric: true, render: (one) => one.attempts },
    {
      key: 'answer',
      label: 'Dernière réponse',
      render: (one) => lastAnswer(one) ?? <span className="text-ink-faint">Aucune</span>,
    },
    {
      key: 'next',
      label: 'Prochain essai',
      render: (one) =>
        one.state === 'PENDING' && one.dueAt > now ? <Time at={one.dueAt} now={now} /> : null,
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (one) =>
        one.state === 'PENDING' || row.disabledAt ? null : (
          <span className="max-sm:-ml-2.5">
            <ReplayOne row={named} deliveryId={one.id} about={`${eventOf(one)}, ${exactTime(one.at)}`} />
          </span>
        ),
    },
  ];
  return (
    <>
      <PageCrumbs items={[{ label: 'Événements', href: '/developpeurs/evenements' }, { label: row.host }]} />
      <PageHeader
        title={row.host}
        description={<span className="wrap-anywhere font-mono text-sm">{row.url}</span>}
      />
      <div className="grid gap-10">
        {row.disabledAt ? (
          <Notice tone="warn">
            Plus rien n’est envoyé à cette adresse. {DISABLED[row.disabledReason ?? ''] ?? ''} Les événements
            des quatorze derniers jours sont gardés.
          </Notice>
        ) : row.isOrphan ? (
          <Notice tone="warn">
            Plus rien n’est envoyé à cette adresse. {row.member.name}, qui l’a abonnée, n’est plus membre
            actif du compte.
          </Notice>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <EndpointState row={row} now={now} />
          <span className="text-ink-soft text-sm">
            {count(row.events.length, 'événement')}
            {isOwn ? null : ` · abonnée par ${row.member.name}`}
          </span>
          <span className="flex flex-wrap gap-1 max-sm:-ml-2.5">
            <ChangeEvents row={named} choices={choicesOf(row.subscribable)} ticked={row.events} />
            {isOwn ? <RotateSecret row={named} /> : null}
            {row.disabledAt ? <ResumeEndpoint row={named} /> : <StopEndpoint row={named} />}
            <RemoveEndpoint row={named} />
          </span>
        </div>
        <TryEndpoint row={named} />
        <Section
          title="Envois"
          description="Gardés quatorze jours. Un envoi refusé recommence pendant un jour, de plus en plus rarement."
          action={
            row.failed > 0 && !row.disabledAt ? (
              <ReplayFailed
                row={named}
                failed={
                  row.failed >= COUNTED
                    ? 'tous les échecs'
                    : count(row.failed, 'événement en échec', 'événements en échec')
                }
              />
            ) : undefined
          }
        >
          <div className="mb-4 flex flex-wrap gap-2">
            <FilterChip href={here} active={!filter} label="Tous" />
            {Object.entries(STATES).map(([name, { label, state }]) => (
              <FilterChip key={name} href={at(name)} active={filter?.state === state} label={label} />
            ))}
          </div>
          <DataTable
            caption="Envois à cette adresse"
            columns={columns}
            rows={deliveries}
            rowKey={(one) => one.id}
            empty={
              <EmptyState icon={Inbox} title="Aucun envoi ici" className="py-10">
                {filter
                  ? 'Aucun envoi n’est dans cet état.'
                  : 'Dès qu’un événement choisi arrive, son envoi est noté ici avec la réponse de l’adresse.'}
              </EmptyState>
            }
          />
          {next !== null ? (
            <div className="mt-4">
              <FilterChip href={at(query.etat, next)} active={false} label="Envois plus anciens" />
            </div>
          ) : null}
        </Section>
      </div>
    </>
  );
});
