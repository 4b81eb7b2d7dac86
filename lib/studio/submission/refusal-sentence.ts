import { formatUsd, type Micros } from '#lib/core/money.ts';
import type { ReserveRefusal } from '#lib/ledger/judge-reserve.ts';
import { generation as sentences } from '#lib/messages/studio.ts';

/**
 * What the wallet's refusal says to a person: of one generation that would hold `eachMicros`, or of several asked together. Amounts are exact:
 * of two that differ by less than is shown elsewhere, one would read as covering the other.
 */
export function refusalSentence(refusal: ReserveRefusal, eachMicros: bigint, variants = 1): string {
  const said = oneSentence(refusal, eachMicros, variants);
  return variants > 1 ? `${said} ${fill(sentences.noneLeft, { count: String(variants) })}` : said;
}

function oneSentence(refusal: ReserveRefusal, eachMicros: bigint, variants: number): string {
  const amount = exactUsd(eachMicros * BigInt(variants));
  if (refusal.code === 'balance')
    return fill(sentences.balance, { amount, available: exactUsd(refusal.availableMicros) });
  const cap = exactUsd(refusal.capMicros);
  if (refusal.detail === 'account') return fill(sentences.capAccount, { amount, cap });
  const used = exactUsd(refusal.usedMicros);
  if (refusal.detail === 'credential') return fill(sentences.capCredential, { amount, cap, used });
  return refusal.detail === 'monthly'
    ? fill(sentences.capMonthly, { amount, cap, used })
    : fill(sentences.capPerGeneration, { amount: exactUsd(eachMicros), cap });
}

/** Six decimals where four would round. */
const exactUsd = (micros: Micros) => formatUsd(micros, micros % 100n === 0n ? undefined : 6);

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
