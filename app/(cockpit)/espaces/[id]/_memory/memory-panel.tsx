'use client';
import { CornerDownRight, Trash2 } from 'lucide';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { readJson } from '#app/_cockpit/act.ts';
import { KIND_LABELS, SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { ApiError, type Failure, failureOf } from '#app/_ui/api-error.ts';
import { cx } from '#app/_ui/cx.ts';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { bytes, count } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { Skeleton } from '#app/_ui/state/skeleton.tsx';
import { ErrorState } from '#app/_ui/state/states.tsx';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { Markdown } from '#app/_ui/text/markdown.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { Similar } from '#lib/brain/likeness/similar.ts';
import type { DeletedMemory } from '#lib/brain/queries/find-deleted.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import { InvisibleNotice } from '../_notices/invisible-notice.tsx';
import { type Doubles, SimilarNotice } from '../_notices/similar-notice.tsx';
import type { Place, RowIndex } from '../_tree/tree.ts';
import type { PanelView } from '../_tree/use-current.ts';
import { Editor } from './editor.tsx';
import { History } from './history.tsx';
import { MissingMemory } from './missing-memory.tsx';
import { PlaceForm } from './place-form.tsx';
import { comingAhead, stampOf, takenAhead } from './read-ahead.ts';

type MemoryPanelProps = {
  memberId: string;
  memoryId: string;
  opened: MemoryDetail | null;
  view: PanelView;
  setView: (view: PanelView) => void;
  canEdit: boolean;
  mayGenerate: boolean;
  pillars: PillarView[];
  index: RowIndex;
  onMove: (to: Place) => void;
  onDelete: () => void;
  onNest: () => void;
  onChanged: () => void;
  /** Refreshes the page that shows the open Memory. */
  onReload: () => void;
  now: Date;
  /** Set if the Memory was already deleted when the page was rendered. */
  deleted: DeletedMemory | null;
  onRestore: (deleted: DeletedMemory) => Promise<boolean>;
  /** The Memories similar to this one, if it was just written. */
  doubles: Doubles | null;
  onDoubles: (similar: Similar[]) => void;
};

/** The panel of a Memory, with three tabs: text, history, place. */
export default function MemoryPanel(props: MemoryPanelProps) {
  const { memoryId, opened, view, setView, canEdit, pillars, index } = props;
  const id = useId();
  const stamp = stampOf(index, memoryId);
  const [memory, setMemory] = useState<MemoryDetail | null>(() => opened ?? takenAhead(memoryId, stamp));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [missing, setMissing] = useState(props.deleted !== null);

  const known = useRef(stamp);
  known.current = stamp;
  /** `anew`: a change was just requested, so that what was loaded in advance may be out of date. */
  const load = useCallback(
    async (anew = false) => {
      setFailure(null);
      setMissing(false);
      try {
        const read =
          (anew ? null : await comingAhead(memoryId, known.current)) ??
          (await readJson<MemoryDetail>(`/api/brain/memories/${encodeURIComponent(memoryId)}`));
        // Answers may arrive out of order: an older version never replaces a newer one.
        setMemory((now) => (now && now.version > read.version ? now : read));
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) setMissing(true);
        setFailure(failureOf(error, 'La mémoire n’a pas pu être lue. Réessayez.'));
      }
    },
    [memoryId],
  );
  // A change made elsewhere (a move, another author) is loaded too. The editor keeps what is being typed.
  const place = index.get(memoryId);
  const deletedNow = props.deleted !== null;
  const [seen, setSeen] = useState(memory ? stamp : '');
  useEffect(() => {
    if (seen === stamp || deletedNow) return;
    setSeen(stamp);
    void load();
  }, [seen, stamp, load, deletedNow]);

  if (missing && !memory)
    return (
      <MissingMemory
        deleted={props.deleted}
        now={props.now}
        canEdit={canEdit}
        onReload={props.onReload}
        onRestore={props.onRestore}
      />
    );
  if (failure && !memory)
    return (
      <ErrorState
        title="Cette mémoire n’a pas pu être ouverte"
        requestId={failure.requestId}
        retry={
          <Button variant="primary" onClick={() => load()}>
            Réessayer
          </Button>
        }
      >
        {failure.message}
      </ErrorState>
    );
  if (!memory)
    return (
      <div role="status" className="space-y-3">
        <span className="sr-only">Chargement…</span>
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
    );

  const pillar = pillars.find(({ role }) => role === memory.pillar);
  // A tab that the member may not use falls back to the text.
  const shown = view === 'place' && !canEdit ? 'texte' : view;
  const tab = { id, current: shown, setView };
  return (
    <>
      <Facts memory={memory} pillar={pillar} contribution={place?.row.contribution} now={props.now} />
      {missing || deletedNow ? (
        <Notice tone="warn" role="alert" className="mt-4">
          Cette mémoire a été supprimée entre-temps.
          {canEdit
            ? ' Ce que vous y écrivez reste un brouillon dans cet onglet\u00a0; vous pourrez l’enregistrer une fois la mémoire rétablie depuis la corbeille.'
            : null}
        </Notice>
      ) : null}
      {props.doubles ? (
        <SimilarNotice
          spaceId={memory.spaceId}
          doubles={props.doubles}
          onKeep={() => props.onDoubles([])}
          onDelete={props.onDelete}
        />
      ) : null}
      <div
        role="tablist"
        aria-label="Vues de la mémoire"
        onKeyDown={onTabKey}
        className="mt-4 mb-4 flex gap-5 border-line border-b"
      >
        <PanelTab view="texte" {...tab}>
          Texte
        </PanelTab>
        <PanelTab view="historique" {...tab}>
          Historique
        </PanelTab>
        {canEdit ? (
          <PanelTab view="place" {...tab}>
            Ranger
          </PanelTab>
        ) : null}
      </div>
      <div role="tabpanel" id={id} aria-labelledby={`${id}-${shown}`}>
        {shown === 'historique' ? (
          <History
            memory={memory}
            canEdit={canEdit}
            onAsked={() => {
              void load(true);
              props.onChanged();
            }}
          />
        ) : shown === 'place' ? (
          <PlaceForm memory={memory} pillars={pillars} index={index} onMove={props.onMove} />
        ) : canEdit ? (
          <Editor
            memberId={props.memberId}
            memory={memory}
            mayGenerate={props.mayGenerate}
            onSaved={(similar) => {
              props.onDoubles(similar);
              void load(true);
              props.onChanged();
            }}
            actions={
              <>
                <Button variant="quiet" icon={CornerDownRight} onClick={props.onNest}>
                  Ajouter dessous
                </Button>
                <Button variant="quiet" icon={Trash2} onClick={props.onDelete} className="text-fail!">
                  Supprimer
                </Button>
              </>
            }
          />
        ) : (
          <div className="space-y-4">
            <InvisibleNotice title={memory.title} body={memory.body} />
            <Markdown text={memory.body} baseLevel={3} />
          </div>
        )}
      </div>
    </>
  );
}

/** Arrow keys, Home and End move between tabs and open them; the open tab is the only tab stop. */
function onTabKey(event: KeyboardEvent<HTMLDivElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  const next = tabs[(to + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

function PanelTab({
  id,
  view,
  current,
  setView,
  children,
}: {
  /** Identifier of the panel that the tabs control. */
  id: string;
  view: PanelView;
  current: PanelView;
  setView: (view: PanelView) => void;
  children: ReactNode;
}) {
  const selected = view === current;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-${view}`}
      aria-controls={id}
      aria-selected={selected}
      tabIndex={selected ? 0 : -1}
      onClick={() => setView(view)}
      className={cx(
        'touch h-9 border-b-2 text-sm focus-visible:-outline-offset-2',
        selected
          ? 'border-accent-ink font-medium text-ink'
          : 'border-transparent text-ink-soft hover:text-ink',
      )}
    >
      {children}
    </button>
  );
}

function Facts({
  memory,
  pillar,
  contribution,
  now,
}: {
  memory: MemoryDetail;
  pillar: PillarView | undefined;
  contribution: number | undefined;
  now: Date;
}) {
  return (
    <dl className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-soft text-xs">
      <dt className="sr-only">Pilier</dt>
      <dd>{pillar ? <PillarBadge role={pillar.role} icon={pillar.icon} label={pillar.label} /> : null}</dd>
      <dt className="sr-only">Sorte</dt>
      <dd>{KIND_LABELS[memory.kind]}</dd>
      <dt className="sr-only">Taille</dt>
      <dd className="tabular">{memory.cu} CU</dd>
      <dt className="sr-only">Contribution</dt>
      <dd
        className="tabular"
        data-tip={`Part de cette mémoire dans la couverture du pilier (${pillar?.quality ?? 0}\u00a0%).\nElle grandit avec le texte, jusqu’à 800 caractères.`}
      >
        Contribue {count(contribution ?? 0, 'point')}
      </dd>
      <dt className="sr-only">Origine</dt>
      <dd className="min-w-0 max-w-full" data-tip={memory.sourceRef ?? undefined}>
        <span>{SOURCE_LABELS[memory.source]}</span>
        {memory.file ? ` · ${memory.file.name}, ${bytes(memory.file.bytes)}` : null}
        {memory.sourceRef && !memory.file ? (
          <span className="wrap-anywhere"> · {cutShort(memory.sourceRef, 60)}</span>
        ) : null}
      </dd>
      <dt className="sr-only">Modifiée</dt>
      <dd>
        Modifiée <Time at={memory.updatedAt} now={now} />
      </dd>
    </dl>
  );
}
