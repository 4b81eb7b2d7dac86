import { count, date, number, percent } from '../format.ts';

/** The reads of a month: how many were used, how many are included, and when they are renewed. */
type MonthReads = { used: number; total: number; resetsAt: Date };

/** `Renouvelées le 1er décembre 2026 à 0 h UTC`, in the singular or plural of `total`. */
function renewed({ total, resetsAt }: MonthReads): string {
  return `${total === 1 ? 'Renouvelée' : 'Renouvelées'} le ${date(resetsAt, 'UTC')} à 0\u00a0h UTC`;
}

/** The tooltip of the header's meter of reads: the share used and the date of renewal; only that there are none if the account includes none. */
export function readsTip(reads: MonthReads): string {
  const { used, total } = reads;
  if (total === 0) return 'Aucune lecture n’est comprise dans ce compte';
  const share = percent(Math.min(1, used / total));
  return `${count(used, 'lecture')} sur ${number(total)} ce mois-ci (${share})\n${renewed(reads)}`;
}

/** How many of the month's reads are left, and how to get more. `contractual`: their number does not follow from the capacity. */
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
