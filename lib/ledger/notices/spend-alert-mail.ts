import type { Mail } from '#lib/core/mail/mail.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthWords } from '#lib/core/text/month-words.ts';
import type { SpendAlert } from '../spend-alert.ts';

/** What a founder receives when the account's spending of a UTC month crosses a multiple of the threshold. */
export function spendAlertMail(to: string, alert: SpendAlert): Mail {
  const spent = formatUsd(alert.spentMicros);
  const month = monthWords(alert.month);
  const reached = formatUsd(alert.thresholdMicros * BigInt(alert.multiple));
  return {
    to,
    subject: `Atelier\u00a0: ${spent} de dépenses en ${month}`,
    text: `Les générations de votre compte ont coûté ${spent} depuis le 1er ${month} (heure UTC).\nLe seuil de ${reached} est franchi. Rien n’est bloqué\u00a0: cet avis est envoyé une fois par seuil et par mois.\n`,
  };
}
