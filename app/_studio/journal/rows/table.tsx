'use client';
import Link from 'next/link';
import { cx } from '#app/_ui/cx.ts';
import { Status } from '#app/_ui/data/badge.tsx';
import { duration } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import { useClock } from '#app/_ui/use-clock.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { leftFiles } from '../../left-files.ts';
import { heldDollars } from '../../money-words.ts';
import { CLOSED_BY, costSourceWords, settingLabel } from '../../setting-words.ts';
import { titleOf } from '../../title.ts';
import { useNow } from '../../use-now.ts';
import { CASE_LABELS, moneyWords } from '../../words.ts';
import { ChooseRow } from './choose-row.tsx';
import { Chunk } from './chunk.tsx';
import { retentionWords } from './retention-words.ts';
import type { TileProps } from './tile.tsx';

type TableProps = { chunks: GenerationView[][]; props: (row: GenerationView) => Omit<TileProps, 'menu'> };

/** The generations of the journal in columns. */
export default function JournalTable({ chunks, props }: TableProps) {
  return (
    <table className="journal-table w-full table-fixed border-collapse text-sm">
      <caption className="sr-only">Générations, de la plus récente à la plus ancienne</caption>
      <TableHead />
      {chunks.map((chunk, index) => (
        <Chunk
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is identified by its position
          key={index}
          as="tbody"
          estimate={chunk.length * 64}
          eager={index < 2}
        >
          {chunk.map((row) => (
            <TableRow key={row.id} {...props(row)} />
          ))}
        </Chunk>
      ))}
    </table>
  );
}

function TableHead() {
  const head = (label: string, className?: string) => (
    <th
      scope="col"
      className={cx('h-9 px-3 text-left font-medium text-ink-faint text-xs first:pl-0', className)}
    >
      {label}
    </th>
  );
  return (
    <thead>
      <tr className="border-line border-b">
        <th scope="col" className="w-8 pointer-coarse:w-13">
          <span className="sr-only">Choisir</span>
        </th>
        {head('Demande')}
        {head('État', 'w-36 max-sm:hidden')}
        {head('Montant', 'w-60 text-right max-lg:w-48 max-sm:w-36')}
        {head('Clos par', 'w-52 max-xl:hidden')}
        {head('Fichier', 'w-20 max-xl:hidden')}
        {head('Date', 'w-32 text-right max-sm:hidden')}
      </tr>
    </thead>
  );
}

/** A generation as a row, with the same facts as its tile. */
function TableRow({
  row,
  retention,
  review,
  author,
  now,
  selected,
  onSelect,
  href,
}: Omit<TileProps, 'menu'>) {
  const title = titleOf(row);
  const left = leftFiles(row);
  const clock = useClock(now);
  const kept = retention && retentionWords(retention, clock);
  const dropped = [
    ...(row.params.dropped ?? []).map(settingLabel),
    ...(row.params.endFrameDropped ? ['Image de fin'] : []),
  ];
  const told = costSourceWords(row);
  return (
    <tr data-generation={row.id} data-status={row.status} className="h-16 hover:bg-hover/50">
      <td>
        <ChooseRow title={title} selected={selected} onSelect={() => onSelect(row.id)} />
      </td>
      <th scope="row" className="max-w-0 text-left font-normal">
        <Link
          href={href}
          data-row-link
          prefetch={false}
          className="block truncate font-medium hover:underline"
        >
          {title}
        </Link>
        <span className="mt-1 block sm:hidden">
          <Status status={row.status} />
        </span>
        <span className="block truncate text-ink-faint text-xs">
          {KIND_LABELS[row.kind]}
          {row.case && CASE_LABELS[row.case] !== KIND_LABELS[row.kind]
            ? ` · ${CASE_LABELS[row.case] ?? row.case}`
            : ''}
          {left.length > 1 ? ` · ${left.length}\u00a0fichiers` : ''}
          {author ? ` · ${author}` : ''}
          {dropped.length > 0 ? ` · réglage ignoré\u00a0: ${dropped.join(', ')}` : ''}
        </span>
      </th>
      <td className="max-sm:hidden">
        <Status status={row.status} {...(row.message ? { tip: row.message } : {})} />
        {review ? (
          <span
            data-tip={review.tip ?? undefined}
            className={cx(
              'mt-1 block truncate text-xs',
              review.tone === 'fail' ? 'text-fail' : 'text-ink-soft',
            )}
          >
            {review.label}
          </span>
        ) : null}
      </td>
      <td className="tabular text-right">
        <span className="block text-balance font-mono">{moneyWords(row)}</span>
        {row.charge === 'settled' ? (
          <span className="block text-balance text-ink-faint text-xs max-sm:hidden">
            {heldDollars(row.heldUsd)}
            {told ? ` · ${told}` : ''}
          </span>
        ) : null}
      </td>
      <td className="text-ink-soft max-xl:hidden">
        {row.status === 'running' ? (
          <Elapsed since={row.createdAt} now={now} />
        ) : row.closedBy ? (
          <span className="block truncate">{CLOSED_BY[row.closedBy]}</span>
        ) : null}
      </td>
      <td className={cx('max-xl:hidden', kept?.soon ? 'text-warn' : 'text-ink-soft')}>
        {kept ? (
          <span data-tip={`${kept.text}, ${kept.reason}`} className="block truncate">
            {kept.short}
          </span>
        ) : null}
      </td>
      <td className="text-right text-ink-soft max-sm:hidden">
        <Time at={row.createdAt} now={now} />
      </td>
    </tr>
  );
}

function Elapsed({ since, now }: { since: string; now: string }) {
  const at = useNow(now, true);
  return <span className="tabular font-mono">{duration(Math.max(1000, at - Date.parse(since)))}</span>;
}
