import { formatUsd } from '#lib/core/money.ts';
import type { ReserveRefusal } from '#lib/ledger/reserve.ts';
import { generation as sentences } from '#lib/messages/studio.ts';

/** What the wallet's refusal says to a person. */
export function refusalSentence(refusal: ReserveRefusal, amountMicros: bigint): string {
  const amount = formatUsd(amountMicros);
  const fill = (text: string, values: Record<string, string>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  if (refusal.code === 'balance')
    return fill(sentences.balance, { amount, available: formatUsd(refusal.availableMicros) });
  const cap = formatUsd(refusal.capMicros);
  if (refusal.detail === 'account') return fill(sentences.capAccount, { amount, cap });
  const used = formatUsd(refusal.usedMicros);
  if (refusal.detail === 'credential') return fill(sentences.capCredential, { amount, cap, used });
  return refusal.detail === 'monthly'
    ? fill(sentences.capMonthly, { amount, cap, used })
    : fill(sentences.capPerGeneration, { amount, cap });
}
