import type { Metadata } from 'next';
import Link from 'next/link';
import { signOut } from '#app/_cockpit/sign-out.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { currentMember } from '#lib/http/sessions/page-member.ts';
import { requirePerson } from '#lib/http/sessions/person-session.ts';
import { listInvitations } from '#lib/identity/invitations/list-invitations.ts';
import { Frame } from '../_frame.tsx';
import { Answers } from './answers.tsx';

export const metadata: Metadata = { title: 'Invitations' };

/** The accounts that invite this person: each is joined or refused here, and nowhere by itself. */
export default async function InvitationsPage() {
  const { ctx, email } = await requirePerson('/invitations');
  const invitations = await listInvitations(ctx);
  const member = await currentMember();
  const now = ctx.clock.now().toISOString();
  return (
    <Frame>
      <div>
        <h1 className="font-semibold text-xl tracking-tight">
          {invitations.length > 1 ? 'Vos invitations' : 'Votre invitation'}
        </h1>
        <p className="wrap-anywhere mt-1 text-ink-soft">Vous êtes connecté avec {email}.</p>
      </div>
      {invitations.length === 0 ? (
        <p className="text-ink-soft">
          Aucune invitation n’attend votre réponse. Une invitation vaut sept jours&nbsp;: demandez à la
          personne qui vous a invité de la renvoyer.
        </p>
      ) : (
        <ul className="flex flex-col gap-4">
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
      <div className="flex flex-wrap items-center gap-4">
        {member ? (
          <Link href="/espaces" className="font-medium text-sm underline underline-offset-4">
            Continuer sur {member.profile.accountName}
          </Link>
        ) : null}
        <form action={signOut}>
          <Button type="submit" variant="quiet" size="sm" className="-mx-2.5">
            Se déconnecter
          </Button>
        </form>
      </div>
    </Frame>
  );
}
