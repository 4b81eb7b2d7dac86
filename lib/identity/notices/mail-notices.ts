import type { Mail } from '#lib/core/mail/mail.ts';
import type { Executor } from '#lib/db/types.ts';

/** Sends a message some time after the answer. Entry points that serve people give one; the shell has none to tell. */
export type Post = (mail: Mail) => void;

type Told = { email: string; name: string; accountName: string };

/** The member as their mails name them, or null when they have no address any more. */
async function toldMember(on: Executor, memberId: string): Promise<Told | null> {
  const row = await on
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.email', 'm.name', 'a.name as accountName'])
    .where('m.id', '=', memberId)
    .executeTakeFirst();
  return row?.email ? { ...row, email: row.email } : null;
}

const line = (text: string) => text.replace(/\s+/g, ' ').trim();
const quoted = (text: string) => `«\u00a0${line(text)}\u00a0»`;

/** Tells a member that a key or an application now acts in their name: who had their session for a minute could have made it. */
export async function tellOfCredential(
  on: Executor,
  post: Post | undefined,
  input: { memberId: string; kind: 'key' | 'application'; name: string },
): Promise<void> {
  const told = post && (await toldMember(on, input.memberId));
  if (!told) return;
  const isKey = input.kind === 'key';
  const what = isKey
    ? `Une clé de développeur, ${quoted(input.name)}, vient d’être créée en votre nom`
    : `L’application ${quoted(input.name)} vient d’être autorisée en votre nom`;
  const where = isKey ? 'Développeurs' : 'Applications';
  post({
    to: told.email,
    subject: isKey ? 'Nouvelle clé Atelier en votre nom' : 'Nouvelle application Atelier en votre nom',
    text: [
      `Bonjour ${line(told.name)},`,
      `${what} dans le compte ${quoted(told.accountName)}.`,
      `Si c’est vous, il n’y a rien à faire. Sinon, révoquez-la dans ${quoted(where)}, puis choisissez ${quoted('Se déconnecter partout')} dans ${quoted('Mon compte')}, en cochant aussi les clés et les applications.`,
      '',
    ].join('\n\n'),
  });
}

/** Tells every active founder of an account that somebody now is one too, the new one among them. */
export async function tellOfFounder(
  on: Executor,
  post: Post | undefined,
  input: { memberId: string; accountId: string },
): Promise<void> {
  const told = post && (await toldMember(on, input.memberId));
  if (!told) return;
  const founders = await on
    .selectFrom('Member')
    .select('email')
    .where('accountId', '=', input.accountId)
    .where('role', '=', 'FOUNDER')
    .where('status', '=', 'ACTIVE')
    .execute();
  for (const { email } of founders)
    if (email)
      post({
        to: email,
        subject: `Atelier\u00a0: un nouveau fondateur dans ${quoted(told.accountName)}`,
        text: [
          `${line(told.name)} est maintenant fondateur du compte ${quoted(told.accountName)}\u00a0: membres, crédit, audit et suppressions lui sont ouverts.`,
          `Si aucun fondateur ne l’a voulu, changez son rôle dans ${quoted('Équipe')} et regardez l’audit.`,
          '',
        ].join('\n\n'),
      });
}
