import type { Metadata } from 'next';
import Link from 'next/link';
import { pageOf } from '#app/_cockpit/address/page-number.ts';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { number } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import { currentMember } from '#lib/http/sessions/page-member.ts';
import { requirePerson } from '#lib/http/sessions/person-session.ts';
import { INVITATIONS_SHOWN, listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { ACCOUNTS_LISTED } from '#lib/identity/people/accounts-listed.ts';
import { listOwnAccounts } from '#lib/identity/people/list-own-accounts.ts';
import { Frame } from '../_frame.tsx';
import { Answers, Enter, SignOut } from './answers.tsx';

export const metadata: Metadata = { title: 'Invitations' };

type Props = { searchParams: Promise<{ comptes?: string | string[] }> };

/**
 * The accounts that invite this person: each is joined or refused here, and nowhere by itself. Who is in no account in this session (joined
 * from another browser since, or the account is gone) goes on from here in those they belong to; so does whoever asks for them by `?comptes=`, the
 * number of a page.
 */
export default async function InvitationsPage({ searchParams }: Props) {
  const { comptes } = await searchParams;
  const { ctx, email } = await requirePerson('/invitations');
  const found = await listInvitations(ctx);
  const invitations = found.slice(0, INVITATIONS_SHOWN);
  const member = await currentMember();
  const page = pageOf(String(comptes));
  const own = member && comptes === undefined ? [] : await listOwnAccounts(ctx, { page });
  const accounts = own.slice(0, ACCOUNTS_LISTED);
  const now = ctx.clock.now().toISOString();
  return (
    <Frame>
      <div>
        <h1 className="font-semibold text-xl tracking-tight">
          {headingOf(invitations.length, accounts.length, comptes !== undefined)}
        </h1>
        <p className="wrap-anywhere mt-1 text-ink-soft">Vous êtes connecté avec {email}.</p>
      </div>
      {invitations.length === 0 && accounts.length === 0 ? (
        <p className="text-ink-soft">
          Aucune invitation n’attend votre réponse. Une invitation vaut sept jours&nbsp;: demandez à la
          personne qui vous a invité de la renvoyer.
        </p>
      ) : null}
      {invitations.length === 0 ? null : (
        <ul role="list" className="flex flex-col gap-4">
          {invitations.map(({ memberId, accountName, inviterName, role, endsAt }) => (
            <li key={memberId} className="rounded-md border border-line bg-surface p-4">
              <h2 className="wrap-anywhere font-medium">{accountName}</h2>
              <p className="wrap-anywhere mt-1 mb-4 text-ink-soft text-sm">
                {inviterName ?? 'L’équipe d’Atelier'} vous invite comme{' '}
                {role === 'FOUNDER' ? 'fondateur' : 'membre'}. Cette invitation se termine{' '}
                <Time at={endsAt} now={now} />.
              </p>
              <Answers memberId={memberId} accountName={accountName} />
            </li>
          ))}
        </ul>
      )}
      {found.length > invitations.length ? (
        <p className="text-ink-soft text-sm">
          Ce sont les {invitations.length} plus récentes&nbsp;: les autres viennent ici à mesure que vous
          répondez.
        </p>
      ) : null}
      {accounts.length === 0 ? null : (
        <ul role="list" className="flex flex-col items-start gap-2">
          {accounts.map((account) => (
            <li key={account.memberId}>
              <Enter {...account} />
            </li>
          ))}
        </ul>
      )}
      {page > 1 || own.length > accounts.length ? (
        <Pagination
          summary={`Vos comptes, page ${number(page)}`}
          label="Pages de vos comptes"
          previousHref={page > 1 ? at(page - 1) : undefined}
          nextHref={own.length > accounts.length ? at(page + 1) : undefined}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-4">
        {member ? (
          <Link href="/espaces" className="font-medium text-sm underline underline-offset-4">
            Continuer sur {member.profile.accountName}
          </Link>
        ) : null}
        <SignOut />
      </div>
    </Frame>
  );
}

const at = (page: number) => `/invitations?comptes=${page}`;

function headingOf(invitations: number, accounts: number, isAsked: boolean): string {
  if ((invitations === 0 || isAsked) && accounts > 0) return accounts > 1 ? 'Vos comptes' : 'Votre compte';
  return invitations > 1 ? 'Vos invitations' : 'Votre invitation';
}
