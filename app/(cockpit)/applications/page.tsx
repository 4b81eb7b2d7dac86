import { Boxes, Plus } from 'lucide';
import type { Metadata } from 'next';
import { pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';
import { CapUse } from '#app/_cockpit/caps/cap-use.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { givenWords } from '#app/_cockpit/spaces/given-words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Badge } from '#app/_ui/data/badge.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { LastTime, Time } from '#app/_ui/text/time.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { givenWithin } from '#lib/db/space-rights.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import {
  APPLICATIONS_A_PAGE,
  type ConnectedApplication,
  countApplications,
  listApplications,
} from '#lib/oauth/list-applications.ts';
import { ApplicationCap, ApplicationSpaces, Disconnect } from './controls.tsx';

export const metadata: Metadata = { title: 'Applications' };

/** The assistants and programs that members allowed, with a button to disconnect each. */
export default memberPage({}, async ({ ctx, query, now }) => {
  const page = pageOf(query.page);
  const [applications, all, spaces] = await Promise.all([
    listApplications(ctx, { page }),
    countApplications(ctx),
    listSpaceNames(ctx),
  ]);
  const place = placeOn({
    page,
    size: APPLICATIONS_A_PAGE,
    shown: applications.length,
    total: all,
    words: count(all, 'application'),
  });
  const isFounder = ctx.actor.role === 'FOUNDER';
  const connect = (
    <LinkButton href="/applications/connecter" variant="primary" icon={Plus}>
      Connecter un assistant
    </LinkButton>
  );
  const columns: Column<ConnectedApplication>[] = [
    {
      key: 'name',
      label: 'Application',
      primary: true,
      className: 'max-sm:block',
      render: (row) => (
        <span className="block min-w-0">
          <span className="wrap-anywhere block font-medium">{row.name}</span>
          <span className="wrap-anywhere block font-normal text-ink-faint text-xs">
            {row.provenHost ?? 'Nom non vérifié'}
            {isFounder && row.member.id !== ctx.actor.memberId ? ` · ${row.member.name}` : null}
          </span>
        </span>
      ),
    },
    {
      key: 'scopes',
      label: 'Droits',
      className: 'max-w-64 max-sm:max-w-none',
      render: (row) => (
        <span className="inline-flex flex-wrap gap-1 max-sm:justify-end">
          {row.scopes.map((scope) => (
            <Badge key={scope} tip={scope}>
              {SCOPE_WORDS[scope].label}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      key: 'spaces',
      label: 'Espaces',
      render: (row) => {
        const { label, tip } = givenWords(row.spaces, spaces);
        if (row.spacesDiffer) return <Badge tip="Selon la connexion">Plusieurs choix</Badge>;
        return row.spaces === null ? 'Tous' : <Badge tip={tip}>{label}</Badge>;
      },
    },
    {
      key: 'cap',
      label: 'Ce mois',
      render: (row) => <CapUse cap={row.monthlyCapMicros} used={row.monthUsedMicros} />,
    },
    { key: 'since', label: 'Connectée', render: (row) => <Time at={row.connectedAt} now={now} /> },
    {
      key: 'used',
      label: 'Dernier usage',
      render: (row) => <LastTime at={row.lastUsedAt} now={now} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (row) => (
        <span className="flex justify-end max-sm:-ml-2.5 max-sm:justify-start">
          {row.monthlyCapMicros === null ? null : (
            <ApplicationCap
              row={{
                clientId: row.clientId,
                name: row.name,
                memberId: row.member.id,
                monthlyCapMicros: row.monthlyCapMicros,
              }}
            />
          )}
          <ApplicationSpaces
            spaces={spaces}
            row={{
              clientId: row.clientId,
              name: row.name,
              memberId: row.member.id,
              given: givenWithin(ctx.actor, row.spaces),
              writes: row.scopes.includes('brain:write'),
            }}
          />
          <Disconnect
            row={{
              clientId: row.clientId,
              name: row.name,
              memberId: row.member.id,
              connections: row.connections,
            }}
          />
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Applications"
        description="Les assistants et programmes connectés, et ce qu’ils peuvent faire. Une déconnexion vaut dès la requête suivante."
        action={connect}
      />
      <DataTable
        caption={isFounder ? 'Applications du compte' : 'Vos applications'}
        columns={columns}
        rows={applications}
        rowKey={(row) => `${row.clientId} ${row.member.id}`}
        empty={
          place.isFirst ? (
            <EmptyState
              icon={Boxes}
              title="Un assistant connecté lit vos espaces de lui-même"
              action={connect}
              className="py-10"
            >
              Vous lui donnez une adresse, vous vous connectez, vous acceptez. Il ne voit jamais de mot de
              passe ni de clé.
            </EmptyState>
          ) : null
        }
      />
      {place.isFirst && place.isLast ? null : (
        <Pagination
          summary={place.summary}
          previousHref={place.isFirst ? undefined : at(page - 1)}
          nextHref={place.isLast ? undefined : at(page + 1)}
        />
      )}
    </>
  );
});

const at = (page: number) => withQuery('/applications', { page: page > 1 ? String(page) : undefined });
