import type { Metadata } from 'next';
import Link from 'next/link';
import { Time } from '#app/_ui/text/time.tsx';
import { currentMember } from '#lib/http/sessions/page-member.ts';
import { requirePerson } from '#lib/http/sessions/person-session.ts';
import { listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { listOwnAccounts } from '#lib/identity/people/list-own-accounts.ts';
import { Frame } from '../_frame.tsx';
import { Answers, Enter, SignOut } from './answers.tsx';

export const metadata: Metadata = { title: 'Invitations' };

/**
 * The accounts that invite this person: each is joined or refused here, and nowhere by itself. Who is in no account in this session (joined
 * from another browser since, or the account is gone) goes on from here in those they belong to.
 */
export default async function InvitationsPage() {
  const { ctx, email } = await requirePerson('/invitations');
  const invitations = await listInvitations(ctx);
  const member = await currentMember();
  const accounts = member ? [] : await listOwnAccounts(ctx);
  const now = ctx.clock.now().toISOString();
  return (
    <Frame>
      <div>
        <h1 className="font-semibold text-xl tracking-tight">
          {headingOf(invitations.length, accounts.length)}
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
      {accounts.length === 0 ? null : (
        <ul role="list" className="flex flex-col items-start gap-2">
          {accounts.map((account) => (
            <li key={account.memberId}>
              <Enter {...account} />
            </li>
          ))}
        </ul>
      )}
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

function headingOf(invitations: number, accounts: number): string {
  if (invitations === 0 && accounts > 0) return accounts > 1 ? 'Vos comptes' : 'Votre compte';
  return invitations > 1 ? 'Vos invitations' : 'Votre invitation';
}
