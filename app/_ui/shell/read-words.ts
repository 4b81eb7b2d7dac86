import { count, date, number, percent } from '../format.ts';

/** The reads of a month: how many were made of how many, and when they are renewed. */
type MonthReads = { used: number; total: number; resetsAt: Date };

/** `Renouvelées le 1er décembre 2026 à 0 h UTC`, of as many as the month includes. */
function renewed({ total, resetsAt }: MonthReads): string {
  return `${total === 1 ? 'Renouvelée' : 'Renouvelées'} le ${date(resetsAt, 'UTC')} à 0\u00a0h UTC`;
}

/** What the header's meter of reads says: how far the month is, or that it includes none, whose renewal brings nothing. */
export function readsTip(reads: MonthReads): string {
  const { used, total } = reads;
  if (total === 0) return 'Aucune lecture n’est comprise dans ce compte';
  const share = percent(Math.min(1, used / total));
  return `${count(used, 'lecture')} sur ${number(total)} ce mois-ci (${share})\n${renewed(reads)}`;
}

/** What is left of the month's reads, and what gives more; `contractual`: their number is not that of the capacity. */
export function readsLeft(reads: MonthReads, contractual: boolean): string {
  const { used, total } = reads;
  const left = Math.max(0, total - used);
  const said =
    total === 0
      ? 'Aucune lecture n’est comprise dans ce compte\u00a0: programmes et assistants n’y lisent rien.'
      : left === 0
        ? `Quota épuisé\u00a0: programmes et assistants attendent le renouvellement. ${renewed(reads)}.`
        : `Reste ${count(left, 'lecture')}. ${renewed(reads)}.`;
  return contractual ? said : `${said} Dix lectures par CU de capacité.`;
}
