import type { Mail } from '#lib/core/mail/mail.ts';
import { line, quoted } from '#lib/core/text/one-line.ts';
import type { Executor } from '#lib/db/types.ts';

/** Sends a message after the answer. Given by entry points that serve people; the shell gives none. */
export type Post = (mail: Mail) => void;

type Recipient = { email: string; name: string; accountName: string };

/** The name and address for a member's mails, or null when they have no address any more. */
async function recipientOf(on: Executor, memberId: string): Promise<Recipient | null> {
  const row = await on
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select(['m.email', 'm.name', 'a.name as accountName'])
    .where('m.id', '=', memberId)
    .executeTakeFirst();
  return row?.email ? { ...row, email: row.email } : null;
}

const CREDENTIALS = {
  key: {
    subject: 'Nouvelle clé Atelier en votre nom',
    made: (name: string) => `Une clé de développeur, ${name}, vient d’être créée en votre nom`,
    undo: `révoquez-la dans ${quoted('Développeurs')}`,
  },
  application: {
    subject: 'Nouvelle application Atelier en votre nom',
    made: (name: string) => `L’application ${name} vient d’être autorisée en votre nom`,
    undo: `déconnectez-la dans ${quoted('Applications')}`,
  },
  endpoint: {
    subject: 'Nouvelle adresse abonnée à Atelier en votre nom',
    made: (name: string) => `L’adresse ${name} vient d’être abonnée aux événements, en votre nom,`,
    undo: `supprimez-la dans ${quoted('Développeurs')}, ${quoted('Événements')}`,
  },
  secret: {
    subject: 'Nouveau secret d’une adresse abonnée à Atelier',
    made: (name: string) =>
      `Le secret de l’adresse ${name}, abonnée aux événements en votre nom, vient d’être remplacé`,
    undo: `remplacez-le de nouveau dans ${quoted('Développeurs')}, ${quoted('Événements')}`,
  },
};

/**
 * Tells a member by mail that a key or application was authorised in their name, that an address subscribed to events, or that its secret
 * changed: somebody who had their session for a minute could have done it.
 */
export async function notifyOfCredential(
  on: Executor,
  post: Post | undefined,
  input: { memberId: string; kind: keyof typeof CREDENTIALS; name: string },
): Promise<void> {
  const recipient = post && (await recipientOf(on, input.memberId));
  if (!recipient) return;
  const { subject, made, undo } = CREDENTIALS[input.kind];
  post({
    to: recipient.email,
    subject,
    text: [
      `Bonjour ${line(recipient.name)},`,
      `${made(quoted(input.name))} dans le compte ${quoted(recipient.accountName)}.`,
      `Si c’est vous, il n’y a rien à faire. Sinon, ${undo}, puis choisissez ${quoted('Se déconnecter partout')} dans ${quoted('Mon compte')}, en cochant aussi les clés et les applications.`,
      '',
    ].join('\n\n'),
  });
}

/** Tells a person that a passkey now signs them in. */
export function notifyOfPasskey(post: Post | undefined, input: { email: string; name: string }): void {
  post?.({
    to: input.email,
    subject: 'Nouvelle clé d’accès Atelier en votre nom',
    text: [
      'Bonjour,',
      `Une clé d’accès, ${quoted(input.name)}, vient d’être ajoutée\u00a0: elle ouvre Atelier en votre nom, sans code.`,
      `Si c’est vous, il n’y a rien à faire. Sinon, retirez-la dans ${quoted('Mon compte')}, puis choisissez-y ${quoted('Se déconnecter partout')}, en cochant aussi les clés et les applications.`,
      '',
    ].join('\n\n'),
  });
}

/** Tells every active founder of an account that somebody now is one too, the new one among them. */
export async function notifyOfFounder(
  on: Executor,
  post: Post | undefined,
  input: { memberId: string; accountId: string },
): Promise<void> {
  const recipient = post && (await recipientOf(on, input.memberId));
  if (!recipient) return;
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
        subject: `Atelier\u00a0: un nouveau fondateur dans ${quoted(recipient.accountName)}`,
        text: [
          `${line(recipient.name)} est maintenant fondateur du compte ${quoted(recipient.accountName)}\u00a0: membres, crédit, audit et suppressions lui sont ouverts.`,
          `Si aucun fondateur ne l’a voulu, changez son rôle dans ${quoted('Équipe')} et regardez l’audit.`,
          '',
        ].join('\n\n'),
      });
}
