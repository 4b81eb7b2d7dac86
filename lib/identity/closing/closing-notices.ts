import { line, quoted } from '#lib/core/text/one-line.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';
import type { Executor } from '#lib/db/types.ts';
import type { Post } from '../notices/mail-notices.ts';
import { CLOSING_DAYS } from './closing-rules.ts';

type ClosingEvent = { kind: 'closed' | 'reopened' | 'erased'; accountId: string; at: Date };

/**
 * The recipients of the mails about an account's closing, reopening or erasure: its founders and the operator's. Read before the rows are
 * deleted.
 */
type ClosingRecipients = { name: string; founders: string[]; operators: string[] };

const addresses = (on: Executor) =>
  on
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select('m.email')
    .distinct()
    .where('m.role', '=', 'FOUNDER')
    .where('m.personId', 'is not', null)
    .where('m.email', 'is not', null)
    .orderBy('m.email');

/** Founders who belong to the account (once its erasure began they count as removed, and keep their address to the last step), and the operator's. */
export async function findClosingRecipients(on: Executor, accountId: string): Promise<ClosingRecipients> {
  const account = await on
    .selectFrom('Account')
    .select(['name', 'erasingAt'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const founders = await addresses(on)
    .where('a.id', '=', accountId)
    .where('m.status', '=', account?.erasingAt ? 'REMOVED' : 'ACTIVE')
    .execute();
  const operators = await addresses(on)
    .where('a.isOperator', '=', true)
    .where('m.status', '=', 'ACTIVE')
    .execute();
  const own = new Set(founders.flatMap(({ email }) => email ?? []));
  return {
    name: account?.name ?? '',
    founders: [...own],
    operators: operators.flatMap(({ email }) => email ?? []).filter((email) => !own.has(email)),
  };
}

/** Mails all of them what happened, and the founders what they can still do. */
export function mailClosing(
  post: Post | undefined,
  recipients: ClosingRecipients,
  event: ClosingEvent,
): void {
  if (!post) return;
  const name = quoted(recipients.name);
  for (const to of recipients.founders) post({ to, ...wordsFor(event, name, true) });
  for (const to of recipients.operators) post({ to, ...wordsFor(event, name, false) });
}

const DAY = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });

function wordsFor({ kind, at }: ClosingEvent, name: string, isFounder: boolean) {
  const subject = `Atelier\u00a0: le compte ${name} ${{ closed: 'est fermé', reopened: 'est rouvert', erased: 'est effacé' }[kind]}`;
  const text: string[] = [];
  if (kind === 'closed') {
    const end = ordinalDay(DAY, new Date(at.getTime() + CLOSING_DAYS * 86_400_000));
    text.push(
      `Le compte ${name} vient d’être fermé. Il se lit et s’exporte, et plus rien n’y change. Le ${end}, tout y sera effacé, fichiers compris.`,
    );
    text.push(
      isFounder
        ? `Si ce n’était pas voulu, rouvrez-le d’ici là dans ${quoted('Équipe')}, ${quoted('Le compte entier')}\u00a0: rien n’est encore perdu. Regardez aussi l’audit\u00a0: il dit qui l’a fermé.`
        : `Vous pouvez le rouvrir d’ici là dans ${quoted('Exploitation')}, onglet Comptes.`,
    );
  } else if (kind === 'reopened') {
    text.push(
      `Le compte ${name} vient d’être rouvert\u00a0: membres, clés et applications retrouvent leurs droits, et rien ne sera effacé.`,
    );
  } else {
    text.push(
      `Les ${CLOSING_DAYS} jours sont passés\u00a0: tout ce que contenait le compte ${name} est effacé, et rien ne peut le rendre. Les écritures du portefeuille restent, sans nom ni adresse.`,
    );
  }
  return { subject: line(subject), text: ['Bonjour,', ...text, ''].join('\n\n') };
}
