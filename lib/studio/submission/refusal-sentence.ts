import { formatUsd } from '#lib/core/money.ts';
import type { ReserveRefusal } from '#lib/ledger/judge-reserve.ts';
import { generation as sentences } from '#lib/messages/studio.ts';

/** What the wallet's refusal says to a person: of one generation that would hold `eachMicros`, or of several asked together. */
export function refusalSentence(refusal: ReserveRefusal, eachMicros: bigint, variants = 1): string {
  const said = oneSentence(refusal, eachMicros, variants);
  return variants > 1 ? `${said} ${fill(sentences.noneLeft, { count: String(variants) })}` : said;
}

function oneSentence(refusal: ReserveRefusal, eachMicros: bigint, variants: number): string {
  const amount = formatUsd(eachMicros * BigInt(variants));
  if (refusal.code === 'balance')
    return fill(sentences.balance, { amount, available: formatUsd(refusal.availableMicros) });
  const cap = formatUsd(refusal.capMicros);
  if (refusal.detail === 'account') return fill(sentences.capAccount, { amount, cap });
  const used = formatUsd(refusal.usedMicros);
  if (refusal.detail === 'credential') return fill(sentences.capCredential, { amount, cap, used });
  return refusal.detail === 'monthly'
    ? fill(sentences.capMonthly, { amount, cap, used })
    : fill(sentences.capPerGeneration, { amount: formatUsd(eachMicros), cap });
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
