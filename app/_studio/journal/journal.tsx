'use client';
import { Columns2, LoaderCircle, RefreshCw, X } from 'lucide-react';
import Link from 'next/link';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Button, buttonClass } from '#app/_ui/action/button.tsx';
import type { MenuItem } from '#app/_ui/action/menu.tsx';
import { count, number } from '#app/_ui/format.ts';
import { toast } from '#app/_ui/overlay/toast.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { readKeeping, reviewFile } from '#app/(cockpit)/journal/actions.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { ApiError, call, type JournalAnswer } from './api.ts';
import { Chunk } from './chunk.tsx';
import type { Keeping } from './keeping-words.ts';
import { apiQuery, type JournalAddress, journalHref, type Query } from './query.ts';
import { COLUMNS, TableHead, TableRow } from './table.tsx';
import { Tile, titleOf } from './tile.tsx';
import { useLive } from './use-live.ts';

/** Fills whole rows of 2, 3, 4 and 6 columns, so that one stretch goes on where the other ends. */
const PER_CHUNK = 24;
const PER_PAGE = 96;

type Props = {
  first: JournalAnswer;
  total: number;
  address: JournalAddress;
  query: Query;
  names: Record<string, string>;
  memberId: string;
  canGenerate: boolean;
  /** The server's clock when it drew the page. */
  now: string;
};

/** The rows of the journal: contact sheet or table, live, endless, and light however long. */
export function Journal({ first, total, address, query, names, memberId, canGenerate, now }: Props) {
  const [rows, setRows] = useState(first.generations);
  const [cursor, setCursor] = useState(first.nextCursor);
  const [failure, setFailure] = useState<string | null>(null);
  const [loading, setLoading] = useState(false);
  const [selected, setSelected] = useState(address.compare);
  const [said, setSaid] = useState('');
  const keeping = useKeeping(rows);

  const apply = useCallback((fresh: GenerationView[]) => {
    setRows((before) => {
      for (const row of fresh) {
        const old = before.find((one) => one.id === row.id);
        if (old && old.status !== row.status) setSaid(`${titleOf(row).slice(0, 80)} : ${row.label}`);
      }
      return before.map((row) => fresh.find((one) => one.id === row.id) ?? row);
    });
  }, []);
  useLive(rows, apply);

  // What others made meanwhile, when one comes back to the page.
  useEffect(() => {
    const look = async () => {
      if (document.hidden) return;
      const head = await call<JournalAnswer>(
        `/api/generations?${apiQuery(address.filters, { limit: '24' })}`,
      ).catch(() => null);
      if (!head) return;
      setRows((before) => {
        const known = new Set(before.map((row) => row.id));
        return [...head.generations.filter((row) => !known.has(row.id)), ...before];
      });
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [address.filters]);

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
      setFailure(error instanceof ApiError ? error.message : 'La suite n’a pas pu être lue.');
    } finally {
      setLoading(false);
    }
  }, [address.filters, cursor, loading]);

  const select = useCallback((id: string) => {
    setSelected((before) =>
      before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-2),
    );
  }, []);

  const chunks = useMemo(() => {
    const list: GenerationView[][] = [];
    for (let at = 0; at < rows.length; at += PER_CHUNK) list.push(rows.slice(at, at + PER_CHUNK));
    return list;
  }, [rows]);

  const props = (row: GenerationView) => ({
    row,
    keeping: keeping.of.get(row.id),
    author: row.memberId === memberId ? null : (names[row.memberId] ?? null),
    now,
    selected: selected.includes(row.id),
    onSelect: select,
  });
  const menu = (row: GenerationView): MenuItem[] => {
    const file = keeping.of.get(row.id);
    const decide = (review: 'approve' | 'reject', done: string) => async () => {
      if (!file) return;
      const answer = await reviewFile({ assetId: file.id, review });
      if (answer.status === 'refused') toast({ title: answer.message, tone: 'fail' });
      else {
        toast({ title: done, tone: 'ok' });
        keeping.forget(row.id);
      }
    };
    return [
      ...(canGenerate && !row.params.workflowRunId
        ? [{ label: 'Refaire avec les mêmes réglages', href: `/creer?reprendre=${row.id}` }]
        : []),
      ...(canGenerate && row.params.workflowRunId
        ? [{ label: 'Refaire ce rendu', href: `/creer?reprendre=${row.id}` }]
        : []),
      ...(canGenerate && file?.reviews.includes('approve')
        ? [{ label: 'Approuver et garder', onSelect: decide('approve', 'Fichier approuvé : il est gardé') }]
        : []),
      ...(canGenerate && file?.reviews.includes('reject')
        ? [{ label: 'Rejeter', onSelect: decide('reject', 'Fichier rejeté') }]
        : []),
      { label: 'Copier l’identifiant', onSelect: () => void navigator.clipboard.writeText(row.id) },
    ];
  };

  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {address.view === 'table' ? (
        <table className="w-full table-fixed border-collapse text-sm">
          <caption className="sr-only">Générations, de la plus récente à la plus ancienne</caption>
          <TableHead />
          {chunks.map((chunk, index) => (
            <Chunk
              key={chunk[0]?.id}
              as="tbody"
              columns={COLUMNS}
              estimate={chunk.length * 64}
              eager={index < 2}
            >
              {chunk.map((row) => (
                <TableRow key={row.id} {...props(row)} />
              ))}
            </Chunk>
          ))}
        </table>
      ) : (
        <div className="flex flex-col gap-3">
          {chunks.map((chunk, index) => (
            <Chunk key={chunk[0]?.id} estimate={1800} eager={index < 2}>
              <ul
                aria-label={`Générations ${number(index * PER_CHUNK + 1)} à ${number(index * PER_CHUNK + chunk.length)}`}
                className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 2xl:grid-cols-6"
              >
                {chunk.map((row) => (
                  <li key={row.id} className="min-w-0 [&>article]:h-full">
                    <Tile {...props(row)} menu={menu(row)} />
                  </li>
                ))}
              </ul>
            </Chunk>
          ))}
        </div>
      )}
      <More
        shown={rows.length}
        total={Math.max(total, rows.length)}
        hasMore={cursor !== null}
        loading={loading}
        failure={failure}
        onMore={more}
      />
      <Selection selected={selected} query={query} onClear={() => setSelected([])} />
    </>
  );
}

/** The fate of the files of the rows on screen, asked once per row, by batches. */
function useKeeping(rows: readonly GenerationView[]) {
  const [of, setOf] = useState<ReadonlyMap<string, Keeping>>(new Map());
  const asked = useRef(new Set<string>());
  const [again, setAgain] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` asks anew after a decision
  useEffect(() => {
    const wanted = rows
      .filter((row) => row.files.length > 0 && row.status === 'done' && !asked.current.has(row.id))
      .map((row) => row.id)
      .slice(0, 100);
    if (wanted.length === 0) return;
    for (const id of wanted) asked.current.add(id);
    void readKeeping({ generationIds: wanted })
      .then((answer) => {
        if (answer.status !== 'done' || !answer.data) return;
        const files = answer.data;
        setOf((before) => {
          const next = new Map(before);
          // Of several files, the one that leaves first speaks for the row.
          for (const file of files) {
            const known = next.get(file.generationId);
            const sooner = !known || !wanted.includes(file.generationId) || (known.lasting && !file.lasting);
            if (sooner || known?.id === file.id) next.set(file.generationId, file);
          }
          return next;
        });
        setAgain((now) => now + 1);
      })
      .catch(() => {
        for (const id of wanted) asked.current.delete(id);
      });
  }, [rows, again]);
  const forget = useCallback((id: string) => {
    asked.current.delete(id);
    setAgain((now) => now + 1);
  }, []);
  return { of, forget };
}

type MoreProps = {
  shown: number;
  total: number;
  hasMore: boolean;
  loading: boolean;
  failure: string | null;
  onMore: () => void;
};

/** The foot of the list: how much of it is here, and the rest, which comes by itself as one scrolls. */
function More({ shown, total, hasMore, loading, failure, onMore }: MoreProps) {
  const foot = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    const element = foot.current;
    if (!element || !hasMore || failure || loading) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: '1200px 0px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [hasMore, failure, loading]);
  return (
    <div ref={foot} className="mt-5 flex flex-col items-center gap-3 text-ink-soft text-sm">
      {failure ? (
        <Notice
          tone="fail"
          role="alert"
          action={
            <Button size="sm" icon={RefreshCw} onClick={onMore}>
              Réessayer
            </Button>
          }
        >
          {failure}
        </Notice>
      ) : null}
      <p className="tabular inline-flex items-center gap-2">
        {loading ? <LoaderCircle aria-hidden size={14} className="animate-turn" /> : null}
        {shown < total ? `${number(shown)} sur ${count(total, 'génération')}` : count(total, 'génération')}
      </p>
      {hasMore && !failure ? (
        <Button size="sm" variant="quiet" pending={loading} onClick={onMore}>
          Afficher la suite
        </Button>
      ) : null}
    </div>
  );
}

function Selection({
  selected,
  query,
  onClear,
}: {
  selected: readonly string[];
  query: Query;
  onClear: () => void;
}) {
  if (selected.length === 0 || (query.comparer && query.comparer === selected.join(','))) return null;
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-30 mx-auto flex w-fit max-w-[calc(100vw-2rem)] items-center gap-3 rounded-md border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-raised max-lg:bottom-20"
    >
      {selected.length === 1 ? (
        <span>Choisissez-en une seconde pour comparer</span>
      ) : (
        <Link
          href={journalHref(query, { comparer: selected.join(',') })}
          className={buttonClass('primary', 'sm')}
          onClick={() => window.scrollTo({ top: 0 })}
        >
          <Columns2 aria-hidden size={16} />
          Comparer
        </Link>
      )}
      <Button size="sm" variant="quiet" icon={X} onClick={onClear}>
        Ne plus choisir
      </Button>
    </div>
  );
}
