import type { Metadata } from 'next';
import { pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { PERMISSION_WORDS } from '#app/_cockpit/permission-words.ts';
import { givenWords } from '#app/_cockpit/spaces/given-words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { LastTime } from '#app/_ui/text/time.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { GRANTABLE_PERMISSIONS } from '#lib/core/actor.ts';
import {
  countMembers,
  listMembers,
  listRemovedMembers,
  MEMBERS_A_PAGE,
  type MemberView,
  REMOVED_A_PAGE,
} from '#lib/identity/members/list-members.ts';
import {
  EditMember,
  EraseMember,
  InviteMember,
  Reactivate,
  Remove,
  ResendInvitation,
  Suspend,
  UnblockSignIn,
} from './controls.tsx';

export const metadata: Metadata = { title: 'Équipe' };

const PATH = '/equipe';

const STATUS: Record<MemberView['status'], { label: string; tone: 'ok' | 'warn' | 'mute' }> = {
  ACTIVE: { label: 'Actif', tone: 'ok' },
  INVITED: { label: 'Invité', tone: 'warn' },
  SUSPENDED: { label: 'Suspendu', tone: 'mute' },
  REMOVED: { label: 'Retiré', tone: 'mute' },
};

/** The members of the account and their rights. */
export default memberPage(
  { permission: 'members.manage', action: 'gérer l’équipe' },
  async ({ ctx, query, now }) => {
    const page = pageOf(query.page);
    const removedPage = pageOf(query.retires);
    const [members, { all, founders, removed: allRemoved }, removed, spaces] = await Promise.all([
      listMembers(ctx, { page }),
      countMembers(ctx),
      listRemovedMembers(ctx, { page: removedPage }),
      listSpaceNames(ctx),
    ]);
    const { isLast, summary } = placeOn({
      page,
      size: MEMBERS_A_PAGE,
      shown: members.length,
      total: all,
      words: count(all, 'membre'),
    });
    const placeRemoved = placeOn({
      page: removedPage,
      size: REMOVED_A_PAGE,
      shown: removed.length,
      total: allRemoved,
      words: count(allRemoved, 'retiré'),
    });
    /** The page's address: both lists stay at their page, unless `to` changes it. */
    const at = (to: { page?: number; retires?: number }) => {
      const { page: one, retires } = { page, retires: removedPage, ...to };
      return withQuery(PATH, {
        page: one > 1 ? String(one) : undefined,
        retires: retires > 1 ? String(retires) : undefined,
      });
    };
    const columns: Column<MemberView>[] = [
      {
        key: 'name',
        label: 'Membre',
        primary: true,
        className: 'max-sm:block',
        render: (member) => (
          <span className="block min-w-0 sm:min-w-28 xl:min-w-40">
            <span className="wrap-anywhere block font-medium">
              {member.name}
              {member.id === ctx.actor.memberId ? (
                <span className="font-normal text-ink-faint"> (vous)</span>
              ) : null}
            </span>
            <span className="wrap-anywhere block font-normal text-ink-faint text-xs">{member.email}</span>
          </span>
        ),
      },
      {
        key: 'role',
        label: 'Rôle',
        render: (member) => (member.role === 'FOUNDER' ? 'Fondateur' : 'Membre'),
      },
      {
        key: 'spaces',
        label: 'Espaces',
        render: (member) => {
          const { label, tip } = givenWords(member.spaces, spaces);
          return member.spaces === null ? 'Tous' : <Badge tip={tip}>{label}</Badge>;
        },
      },
      { key: 'rights', label: 'Droits', render: rightsOf, className: 'sm:max-w-72 max-sm:text-right' },
      {
        key: 'status',
        label: 'État',
        render: (member) => (
          <span className="flex flex-wrap gap-1 max-sm:justify-end">
            <Badge tone={STATUS[member.status].tone}>{STATUS[member.status].label}</Badge>
            {member.signInBlocked ? <Badge tone="warn">Connexion bloquée</Badge> : null}
            {hasExpired(member, now) ? <Badge tone="mute">Invitation expirée</Badge> : null}
          </span>
        ),
      },
      {
        key: 'seen',
        label: 'Dernière visite',
        render: (member) => <LastTime at={member.lastSeenAt} now={now} />,
      },
      {
        key: 'actions',
        label: 'Actions',
        actions: true,
        render: (member) => (
          <span className="flex flex-wrap justify-end gap-1 sm:max-xl:ml-auto sm:max-xl:w-44 max-sm:justify-start max-sm:-ml-2.5">
            {member.signInBlocked ? <UnblockSignIn memberId={member.id} name={member.name} /> : null}
            <EditMember
              member={member}
              isLastFounder={founders === 1 && isActiveFounder(member)}
              spaces={spaces}
            />
            {member.status === 'SUSPENDED' ? (
              <Reactivate memberId={member.id} name={member.name} />
            ) : member.id === ctx.actor.memberId ? null : member.status === 'INVITED' ? (
              <ResendInvitation memberId={member.id} name={member.name} />
            ) : (
              <Suspend memberId={member.id} name={member.name} />
            )}
            {member.id === ctx.actor.memberId ? null : (
              <>
                <Remove memberId={member.id} name={member.name} invited={member.status === 'INVITED'} />
                <EraseMember memberId={member.id} name={member.name} />
              </>
            )}
          </span>
        ),
      },
    ];
    return (
      <>
        <PageHeader
          title="Équipe"
          description={`${count(all, 'membre')}. Un changement de droits prend effet à la page suivante du membre.`}
          action={
            <>
              <LinkButton href="/equipe/compte">Le compte entier</LinkButton>
              <InviteMember spaces={spaces} />
            </>
          }
        />
        <DataTable
          caption="Membres du compte"
          columns={columns}
          rows={members}
          rowKey={(member) => member.id}
        />
        {page > 1 || !isLast ? (
          <Pagination
            summary={summary}
            previousHref={page > 1 ? at({ page: page - 1 }) : undefined}
            nextHref={isLast ? undefined : at({ page: page + 1 })}
          />
        ) : null}
        {allRemoved > 0 ? (
          <Section title="Retirés, dont le nom reste" className="mt-8">
            <ul role="list" className="flex flex-col gap-1">
              {removed.map(({ id, name }) => (
                <li key={id} className="flex flex-wrap items-center justify-between gap-2 text-sm">
                  <span className="wrap-anywhere min-w-0">{name}</span>
                  <EraseMember memberId={id} name={name} />
                </li>
              ))}
            </ul>
            {removedPage > 1 || !placeRemoved.isLast ? (
              <Pagination
                label="Pages des membres retirés"
                summary={placeRemoved.summary}
                previousHref={removedPage > 1 ? at({ retires: removedPage - 1 }) : undefined}
                nextHref={placeRemoved.isLast ? undefined : at({ retires: removedPage + 1 })}
              />
            ) : null}
          </Section>
        ) : null}
      </>
    );
  },
);

function hasExpired(member: MemberView, now: Date): boolean {
  return member.status === 'INVITED' && (member.invitationEndsAt === null || member.invitationEndsAt <= now);
}

function isActiveFounder(member: MemberView): boolean {
  return member.role === 'FOUNDER' && member.status === 'ACTIVE';
}

function rightsOf(member: MemberView) {
  if (member.role === 'FOUNDER') return 'Tous';
  const held = GRANTABLE_PERMISSIONS.filter((one) => member.permissions.includes(one));
  if (held.length === 0) return <span className="text-ink-faint">Lecture seule</span>;
  return held.map((one) => PERMISSION_WORDS[one].label).join(', ');
}
