import Link from 'next/link';
import { cx } from '../cx.ts';
import { count, number, usd } from '../format.ts';
import { readsTip } from './read-words.ts';
import type { ShellData } from './types.ts';

/** The two meters of the header: reads of the month, available balance. The caller lays them out. */
export function HeaderMeters({ reads, balance }: Pick<ShellData, 'reads' | 'balance'>) {
  const share = reads.total > 0 ? Math.min(1, reads.used / reads.total) : 1;
  const tone = share >= 1 ? 'text-fail' : share >= 0.9 ? 'text-warn' : 'text-ink';
  const days = balance?.daysLeft ?? null;
  const low = balance !== null && balance.availableMicros <= 0n ? 'text-fail' : days !== null && 'text-warn';
  const item = 'touch flex items-center gap-1.5 rounded-md px-2 py-1.5 whitespace-nowrap hover:bg-hover';
  return (
    <>
      <Link href="/espaces#lectures" prefetch={false} className={item} data-tip={readsTip(reads)}>
        <span className="text-ink-faint">Lectures</span>
        <span className={cx('tabular font-medium', tone)}>
          {number(reads.used)}
          <span className="font-normal text-ink-faint"> / {number(reads.total)}</span>
        </span>
      </Link>
      {balance ? (
        <Link
          href="/portefeuille"
          prefetch={false}
          className={item}
          data-tip={`Solde disponible\u00a0: le solde moins les montants retenus par ce qui est en cours${days === null ? '' : `\nSolde faible\u00a0: ${days === 0 ? 'moins d’une journée' : count(days, 'jour')} au rythme du mois`}`}
        >
          <span className="text-ink-faint">Disponible</span>
          <span className={cx('tabular font-medium font-mono', low)}>{usd(balance.availableMicros)}</span>
        </Link>
      ) : null}
    </>
  );
}
