'use client';
import { RotateCcw } from 'lucide';
import { useCallback, useEffect, useState, useTransition } from 'react';
import { act, readJson } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { type Failure, failureOf } from '#app/_ui/api-error.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { RequestId } from '#app/_ui/state/notice.tsx';
import { RowsSkeleton } from '#app/_ui/state/skeleton.tsx';
import { ErrorState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { toast } from '#app/_ui/toast.ts';
import type { RevisionChange, RevisionEntry, RevisionText } from '#lib/brain/memories/history.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import { restoreRevision } from '../actions.ts';
import { type HistoryPage, joinHistory } from './join-history.ts';

const Diff = lazyPart(
  () => import('#app/_ui/text/diff.tsx').then(({ Diff }) => ({ default: Diff })),
  <RowsSkeleton rows={2} />,
);

const CHANGES: Record<RevisionChange, string> = {
  CREATED: 'Création',
  EDITED: 'Modification',
  MOVED: 'Déplacement',
  DELETED: 'Suppression',
  RESTORED: 'Rétablissement',
};

type HistoryProps = {
  memory: MemoryDetail;
  canEdit: boolean;
  /** Called when restoring a version was attempted, successful or not. */
  onAsked: () => void;
};

/** The history of a Memory, latest first. Each version can be compared with the previous one, and restored. */
export function History({ memory, canEdit, onAsked }: HistoryProps) {
  const [page, setPage] = useState<HistoryPage | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isReading, setIsReading] = useState(false);
  const base = `/api/brain/memories/${encodeURIComponent(memory.id)}/revisions`;

  const load = useCallback(
    async (before?: number) => {
      setFailure(null);
      setIsReading(true);
      try {
        const next = await readJson<HistoryPage>(before ? `${base}?before=${before}` : base);
        setPage((now) => joinHistory(now, next, before));
      } catch (error) {
        setFailure(failureOf(error, 'L’historique n’a pas pu être lu. Réessayez.'));
      } finally {
        setIsReading(false);
      }
    },
    [base],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is a new history
  useEffect(() => void load(), [load, memory.version]);

  if (failure && !page)
    return (
      <ErrorState
        title="L’historique n’a pas pu être lu"
        requestId={failure.requestId}
        retry={<Button onClick={() => load()}>Réessayer</Button>}
      >
        {failure.message}
      </ErrorState>
    );
  if (!page) return <RowsSkeleton rows={4} />;
  return (
    <>
      <ol role="list" className="divide-y divide-line">
        {page.revisions.map((entry) => (
          <Entry
            key={entry.version}
            entry={entry}
            address={`${base}/${entry.version}`}
            current={entry.version === memory.version}
            restore={
              canEdit && entry.version !== memory.version
                ? { memoryId: memory.id, version: entry.version, expectedVersion: memory.version }
                : null
            }
            onAsked={onAsked}
          />
        ))}
      </ol>
      {page.more ? (
        <Button className="mt-3" pending={isReading} onClick={() => load(page.revisions.at(-1)?.version)}>
          Voir les versions antérieures
        </Button>
      ) : null}
      {failure ? (
        <p role="alert" className="mt-2 text-fail text-sm">
          {failure.message} {failure.requestId ? <RequestId id={failure.requestId} /> : null}
        </p>
      ) : null}
    </>
  );
}

type EntryProps = {
  entry: RevisionEntry;
  address: string;
  current: boolean;
  restore: { memoryId: string; version: number; expectedVersion: number } | null;
  onAsked: () => void;
};

type Compared = { revision: RevisionText; previous: RevisionText | null };

function Entry({ entry, address, current, restore, onAsked }: EntryProps) {
  const [compared, setCompared] = useState<Compared | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [pending, start] = useTransition();
  const open = async () => {
    if (compared) return;
    setFailure(null);
    try {
      setCompared(await readJson<Compared>(address));
    } catch (error) {
      setFailure(failureOf(error, 'L’historique n’a pas pu être lu. Réessayez.'));
    }
  };
  const bringBack = () =>
    start(async () => {
      if (!restore) return;
      if (await act(restoreRevision(restore)))
        toast({
          title: `Version ${restore.version} rétablie`,
          description: 'La précédente reste dans l’historique.',
          tone: 'ok',
        });
      // A refusal may mean that another member wrote meanwhile: the Memory is loaded again, and the next press applies to that.
      onAsked();
    });
  return (
    <li className="py-2">
      <details
        onToggle={(event) => {
          if (event.currentTarget.open) void open();
        }}
      >
        <summary className="flex min-h-10 flex-wrap items-center gap-x-2 text-sm">
          <span className="font-medium">{CHANGES[entry.change]}</span>
          <span className="wrap-anywhere text-ink-soft">{entry.by}</span>
          <Time at={entry.at} now={new Date()} className="ml-auto whitespace-nowrap text-ink-faint text-xs" />
          <span className="tabular w-14 text-right text-ink-faint text-xs">
            {current ? 'Actuelle' : `v${entry.version}`}
          </span>
        </summary>
        <div className="pt-2 pb-1">
          {failure ? (
            <p role="alert" className="text-fail text-sm">
              {failure.message} {failure.requestId ? <RequestId id={failure.requestId} /> : null}
            </p>
          ) : null}
          {compared ? <Comparison {...compared} /> : failure ? null : <RowsSkeleton rows={2} />}
          {restore ? (
            <Button size="sm" icon={RotateCcw} className="mt-3" pending={pending} onClick={bringBack}>
              Rétablir cette version
            </Button>
          ) : null}
        </div>
      </details>
    </li>
  );
}

function Comparison({ revision, previous }: Compared) {
  const renamed = previous && previous.title !== revision.title;
  const moved = previous && previous.role !== revision.role;
  const same = previous?.body === revision.body;
  return (
    <>
      {renamed ? (
        <p className="wrap-anywhere mb-2 text-sm">
          Titre&nbsp;: <del className="bg-fail-soft no-underline">{previous.title}</del> →{' '}
          <ins className="bg-ok-soft no-underline">{revision.title}</ins>
        </p>
      ) : null}
      {previous === null ? (
        <p className="wrap-anywhere whitespace-pre-wrap text-sm">{revision.body}</p>
      ) : null}
      {same && (moved || !renamed) ? (
        <p className="text-ink-soft text-sm">
          {moved
            ? 'La mémoire a changé de pilier\u00a0; son texte est le même.'
            : 'Le texte est le même qu’à la version précédente.'}
        </p>
      ) : same || previous === null ? null : (
        <Diff before={previous.body} after={revision.body} />
      )}
    </>
  );
}
