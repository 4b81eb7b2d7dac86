'use client';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { MenuItem } from '#app/_ui/action/menu-item.ts';
import { type ApiError, type Failure, failureOf } from '#app/_ui/api-error.ts';
import { count, number } from '#app/_ui/format.ts';
import { latePart } from '#app/_ui/late-part.tsx';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { MAX_CHOSEN } from '#lib/storage/limits.ts';
import { STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { leftFiles } from '../left-files.ts';
import { useWholeScreen } from '../lightbox/use-whole-screen.tsx';
import { answersReview, reviewWords, STATE_OF } from '../review/review-words.ts';
import { useBinned } from '../review/use-binned.ts';
import { useDeletion } from '../review/use-deletion.ts';
import { useReview } from '../review/use-review.tsx';
import { focusRow, useRowKeys } from '../review/use-row-keys.ts';
import { shortTitle, titleOf } from '../title.ts';
import { call, type JournalAnswer } from './api.ts';
import { apiQuery, type JournalAddress, type Query, rowHref } from './filters/query.ts';
import { Chunk } from './rows/chunk.tsx';
import { loadRetentionHint, Tile } from './rows/tile.tsx';
import { useArrivals, withArrivals } from './use-arrivals.ts';
import { useFileRetention } from './use-file-retention.ts';
import { useLive } from './use-live.ts';

const JournalTable = latePart(() => import('./rows/table.tsx'));
const More = latePart(() => import('./foot.tsx'));
const loadSelection = () => import('./selection.tsx');
const Selection = lazyPart(loadSelection, null, ({ onClear }) => onClear());
const Stopped = lazyPart(() => import('./stopped.tsx'));

/** A multiple of 2, 3, 4 and 6 columns: each chunk fills its last row. */
const PER_CHUNK = 24;
const PER_PAGE = 96;

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

/** A generation as the server returns it once its files are deleted. */
const withoutFiles = (row: GenerationView): GenerationView => ({
  ...row,
  status: 'deleted',
  label: STATUS_LABELS.deleted,
  message: null,
  files: [],
});

/** The generations of the journal, as a contact sheet or a table: kept up to date, loaded page by page, and drawn near the screen only. */
export function Journal({ first, total, address, query, names, icons, memberId, canGenerate, now }: Props) {
  const [rows, setRows] = useState(first.generations);
  const [cursor, setCursor] = useState(first.nextCursor);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(false);
  const [chosen, setChosen] = useState<string[]>([]);
  const [said, setSaid] = useState('');
  const [stopped, setStopped] = useState<ApiError | null>(null);
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

  /** The generations before their files were deleted, which an undo shows again. */
  const whole = useRef(new Map<string, GenerationView>());
  const binned = useBinned(rows);
  const deletion = useDeletion({
    deleted: (ids) =>
      setRows((before) =>
        before.map((row) => {
          if (!ids.includes(row.id)) return row;
          whole.current.set(row.id, row);
          return withoutFiles(row);
        }),
      ),
    restored: (ids) => {
      setRows((before) =>
        before.map((row) => (ids.includes(row.id) ? (whole.current.get(row.id) ?? row) : row)),
      );
      for (const id of ids) {
        binned.forget(id);
        retention.refresh(id);
        if (!whole.current.has(id)) void reread(id);
      }
    },
  });

  const apply = useCallback((fresh: GenerationView[]) => {
    setRows((before) => {
      for (const row of fresh) {
        const old = before.find((one) => one.id === row.id);
        if (old && old.status !== row.status) setSaid(`${shortTitle(titleOf(row))}\u00a0: ${row.label}`);
      }
      return before.map((row) => fresh.find((one) => one.id === row.id) ?? row);
    });
  }, []);
  useLive(rows, apply, setStopped);
  const reread = async (id: string) => {
    const row = await call<GenerationView>(`/api/generations/${id}`).catch(() => null);
    if (row) apply([row]);
  };

  useArrivals(address.filters, (head) => setRows((before) => withArrivals(before, head)), setStopped);

  const more = useCallback(async () => {
    if (!cursor || loading) return;
    setLoading(true);
    setFailure(null);
    try {
      const next = await call<JournalAnswer>(
        `/api/generations?${apiQuery(address.filters, { limit: String(PER_PAGE), cursor })}`,
      );
      setRows((before) => {
        const known = new Set(before.map((row) => row.id));
        return [...before, ...next.generations.filter((row) => !known.has(row.id))];
      });
      setCursor(next.nextCursor);
    } catch (error) {
      setFailure(failureOf(error, 'La suite n’a pas pu être lue.'));
    } finally {
      setLoading(false);
    }
  }, [address.filters, cursor, loading]);

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
  const menu = (row: GenerationView): MenuItem[] => {
    const left = leftFiles(row).length;
    const decisions = canGenerate && left === 1 ? retention.of.get(row.id)?.reviews : undefined;
    return [
      ...(canGenerate
        ? [
            {
              label: row.params.workflowRunId ? 'Refaire ce rendu' : 'Refaire avec les mêmes réglages',
              href: `/creer?reprendre=${row.id}`,
            },
          ]
        : []),
      ...(canGenerate && left > 1
        ? [{ label: `Vérifier les ${left} fichiers`, href: rowHref(row.id, query) }]
        : []),
      ...(decisions?.includes('approve')
        ? [{ label: 'Approuver et garder', onSelect: () => void review.approve([row.id]) }]
        : []),
      ...(decisions?.includes('reject')
        ? [{ label: 'Rejeter', onSelect: () => review.reject([row.id]) }]
        : []),
      ...(left > 0 ? [{ label: 'Voir en grand', keys: 'V', onSelect: () => screen.open(row.id) }] : []),
      ...(canGenerate && binned.of.has(row.id)
        ? [{ label: 'Rétablir de la corbeille', onSelect: () => void deletion.restore([row.id]) }]
        : []),
      { label: 'Copier l’identifiant', copies: { text: row.id, done: 'Identifiant copié' } },
    ];
  };

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
        hasMore={cursor !== null}
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
