import type { Mail } from '#lib/core/mail/mail.ts';
import { formatUsd } from '#lib/core/money.ts';
import { line, quoted } from '#lib/core/text/one-line.ts';
import type { CreditRequest } from './request-credit.ts';

/** What a founder of the operator's account receives when an account asks for more: figures, and names that add no line of their own. */
export function creditRequestMail(to: string, request: CreditRequest): Mail {
  const { balanceMicros, heldMicros, monthSpentMicros, monthlyCeilingMicros } = request;
  const account = quoted(request.accountName);
  const ceiling = monthlyCeilingMicros === null ? 'aucun' : formatUsd(monthlyCeilingMicros);
  return {
    to,
    subject: `Atelier\u00a0: ${account} demande du crédit`,
    text: [
      `${line(request.memberName)}, du compte ${account}, demande davantage de crédit ou un plafond plus haut.`,
      '',
      `À répartir\u00a0: ${formatUsd(balanceMicros)}`,
      `Débité ce mois\u00a0: ${formatUsd(monthSpentMicros)}, retenu\u00a0: ${formatUsd(heldMicros)}`,
      `Plafond mensuel\u00a0: ${ceiling}`,
      '',
      'Vous décidez dans Exploitation, onglet Comptes. Sans réponse de votre part, rien ne change.',
      '',
    ].join('\n'),
  };
}
