'use client';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ApiError } from '#app/_ui/api-error.ts';
import { count, number } from '#app/_ui/format.ts';
import { latePart } from '#app/_ui/late-part.tsx';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { MAX_CHOSEN } from '#lib/storage/limits.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { useWholeScreen } from '../lightbox/use-whole-screen.tsx';
import { answersReview, reviewWords, STATE_OF } from '../review/review-words.ts';
import { useBinned } from '../review/use-binned.ts';
import { useDeletion } from '../review/use-deletion.ts';
import { useReview } from '../review/use-review.tsx';
import { focusRow, useRowKeys } from '../review/use-row-keys.ts';
import type { JournalAnswer } from './api.ts';
import { type JournalAddress, type Query, rowHref } from './filters/query.ts';
import { Chunk } from './rows/chunk.tsx';
import { rowMenu } from './rows/row-menu.ts';
import { loadRetentionHint, Tile } from './rows/tile.tsx';
import { useFileRetention } from './use-file-retention.ts';
import { useRows } from './use-rows.ts';

const JournalTable = latePart(() => import('./rows/table.tsx'));
const More = latePart(() => import('./foot.tsx'));
const loadSelection = () => import('./selection.tsx');
const Selection = lazyPart(loadSelection, null, ({ onClear }) => onClear());
const Stopped = lazyPart(() => import('./stopped.tsx'));

/** A multiple of 2, 3, 4 and 6 columns: each chunk fills its last row. */
const PER_CHUNK = 24;

type Props = {
  first: JournalAnswer;
  total: number;
  address: JournalAddress;
  query: Query;
  names: Record<string, string>;
  /** The icon of each kind, rendered by the server. */
  icons: Readonly<Record<string, ReactNode>>;
  memberId: string;
  canGenerate: boolean;
  /** The server's time when it rendered the page. */
  now: string;
};

/** The generations of the journal, as a contact sheet or a table: kept up to date, loaded page by page, and drawn near the screen only. */
export function Journal({ first, total, address, query, names, icons, memberId, canGenerate, now }: Props) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [said, setSaid] = useState('');
  const [stopped, setStopped] = useState<ApiError | null>(null);
  const { rows, hasMore, loading, failure, more, drop, bringBack } = useRows(first, {
    filters: address.filters,
    say: setSaid,
    stopped: setStopped,
  });
  const retention = useFileRetention(rows);
  useEffect(() => {
    preload(loadSelection);
    preload(loadRetentionHint);
  }, []);
  const filesOf = (id: string) => retention.files.get(id) ?? [];
  const queue = address.filters.review && STATE_OF[address.filters.review];
  const heard = {
    decided: retention.decide,
    changed: (ids: readonly string[]) => ids.forEach(retention.refresh),
  };
  const review = useReview(filesOf, heard, queue);

  const binned = useBinned(rows);
  const deletion = useDeletion({
    deleted: drop,
    restored: (ids) => {
      for (const id of ids) {
        binned.forget(id);
        retention.refresh(id);
      }
      bringBack(ids);
    },
  });

  const shown = useMemo(
    () =>
      rows.filter(
        (row) =>
          !deletion.leaving.has(row.id) &&
          answersReview(address.filters.review, retention.files.get(row.id) ?? []),
      ),
    [rows, address.filters.review, retention.files, deletion.leaving],
  );
  // A chosen generation that left the list is not part of the next action; if it comes back, it is chosen again.
  const selected = useMemo(() => chosen.filter((id) => shown.some((row) => row.id === id)), [chosen, shown]);
  // At most as many as one action takes. Chosen generations that left the list make room for others; visible ones are kept.
  const select = (id: string) => {
    const kept = chosen.length < MAX_CHOSEN ? chosen : selected;
    if (selected.includes(id)) setChosen(chosen.filter((one) => one !== id));
    else if (kept.length < MAX_CHOSEN) setChosen([...kept, id]);
    else void loadSelection().then(({ refuseMore }) => refuseMore());
  };
  const ids = useMemo(() => shown.map(({ id }) => id), [shown]);
  const chunks = useMemo(() => {
    const list: GenerationView[][] = [];
    for (let at = 0; at < shown.length; at += PER_CHUNK) list.push(shown.slice(at, at + PER_CHUNK));
    return list;
  }, [shown]);

  const screen = useWholeScreen(shown, address.filters, focusRow);

  useRowKeys({
    show: screen.open,
    ids,
    choose: (id) => {
      const isChosen = selected.includes(id);
      const then = selected.length + (isChosen ? -1 : 1);
      if (then <= MAX_CHOSEN)
        setSaid(`${isChosen ? 'Plus choisie' : 'Choisie'}\u00a0: ${count(then, 'choisie')}`);
      select(id);
    },
    ended: (last) => setSaid(last ? 'Dernière génération affichée' : 'Première génération'),
    ...(canGenerate
      ? {
          decide: {
            approve: (id: string) => void review.approve([id]),
            reject: (id: string) => review.reject([id]),
            undo: () => void review.undo(),
          },
        }
      : {}),
  });

  const props = (row: GenerationView) => ({
    row,
    icon: icons[row.kind],
    binnedUntil: binned.of.get(row.id),
    retention: retention.of.get(row.id),
    review: reviewWords(filesOf(row.id)),
    author: row.memberId === memberId ? null : (names[row.memberId] ?? null),
    now,
    selected: selected.includes(row.id),
    onSelect: select,
    href: rowHref(row.id, query),
  });
  const menu = (row: GenerationView) =>
    rowMenu(row, {
      href: rowHref(row.id, query),
      canGenerate,
      isBinned: binned.of.has(row.id),
      reviews: retention.of.get(row.id)?.reviews,
      approve: review.approve,
      reject: review.reject,
      restore: deletion.restore,
      show: screen.open,
    });

  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {stopped ? <Stopped error={stopped} /> : null}
      {address.view === 'table' ? (
        <JournalTable chunks={chunks} props={props} />
      ) : (
        <div className="flex flex-col gap-3">
          {chunks.map((chunk, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is identified by its position
            <Chunk key={index} estimate={1800} eager={index < 2}>
              <ul
                role="list"
                aria-label={`Générations ${number(index * PER_CHUNK + 1)} à ${number(index * PER_CHUNK + chunk.length)}`}
                className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6 [&>li]:min-w-0"
              >
                {chunk.map((row) => (
                  <li key={row.id}>
                    <Tile {...props(row)} menu={menu(row)} />
                  </li>
                ))}
              </ul>
            </Chunk>
          ))}
        </div>
      )}
      <More
        shown={shown.length}
        total={total + rows.filter((row) => row.createdAt > now).length}
        hasMore={hasMore}
        loading={loading}
        failure={failure}
        onMore={more}
      />
      {selected.length > 0 ? (
        <Selection
          selected={selected}
          ids={ids}
          onClear={() => setChosen([])}
          {...(canGenerate ? { decide: { review, remove: deletion.remove } } : {})}
        />
      ) : null}
      {screen.draw(
        canGenerate
          ? { approve: (id) => void review.approve([id]), reject: (id) => review.reject([id]) }
          : undefined,
        review.dialog,
      )}
    </>
  );
}
