'use client';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { Sheet } from '#app/_ui/overlay/dialog.tsx';
import { isTyping } from '#app/_ui/typing.ts';
import type { DeletedMemory } from '#lib/brain/queries/find-deleted.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import type { Doubles } from '../_notices/similar-notice.tsx';
import { ADD_EVENT } from '../_tree/add-event.ts';
import type { PackedPillar, Place } from '../_tree/tree.ts';
import { type Opened, type PanelView, useCurrent } from '../_tree/use-current.ts';
import { PillarColumn } from './pillar-column.tsx';
import { PillarLinks } from './pillar-links.tsx';
import { RemovalQuestion, useRemoval } from './removal-question.tsx';
import { Row } from './row.tsx';
import { type Removed, useArranging } from './use-arranging.ts';
import { useDrag } from './use-drag.ts';
import { useReadingAhead } from './use-reading-ahead.ts';
import { useRoving } from './use-roving.ts';
import { keepFocusOn, useRowFocus } from './use-row-focus.ts';
import { useRowKeys } from './use-row-keys.ts';

const loadPanel = () => import('../_memory/memory-panel.tsx');
const loadNeighbours = () => import('./neighbours.tsx');
const MemoryPanel = lazyPart(loadPanel, <p role="status">Chargement…</p>);
const Neighbours = lazyPart(loadNeighbours, null, null);
const loadOpened = () => Promise.all([loadPanel(), loadNeighbours()]);
const Compose = lazyPart(
  () => import('../_memory/compose.tsx'),
  null,
  ({ onClose }) => onClose(),
);

type BoardProps = {
  /** The reading member: drafts are kept per member. */
  memberId: string;
  spaceId: string;
  canEdit: boolean;
  mayGenerate: boolean;
  pillars: PackedPillar[];
  /** The icon of each pillar, by role, rendered by the server: importing all of them would add them to the page's scripts. */
  icons: Readonly<Record<string, ReactNode>>;
  now: Date;
  /** The Memory and tab in the address when the page was rendered. */
  drawn: Opened;
  /** The Memory in the address, if it exists. */
  opened: MemoryDetail | null;
  /** The Memory in the address, if it was deleted. */
  deleted: DeletedMemory | null;
};

/** The five pillars of a Space, with the actions on their Memories. */
export function Board({
  memberId,
  spaceId,
  canEdit,
  pillars: packed,
  icons,
  now,
  drawn,
  opened,
  deleted,
  mayGenerate,
}: BoardProps) {
  const [composing, setComposing] = useState<Place | null>(null);
  const [doubles, setDoubles] = useState<Doubles | null>(null);
  const [focusId, setFocusId] = useState<string | null>(null);
  const removed = useRef<Removed>(() => {});
  const { pillars, index, move, remove, isLeaving, restore, refresh } = useArranging(packed, {
    focus: setFocusId,
    removed: useCallback<Removed>((...removal) => removed.current(...removal), []),
  });
  const { currentId, view, go, reload } = useCurrent(drawn);
  const goBeside = useCallback((id: string, isHeld?: boolean) => go(id, 'texte', isHeld), [go]);
  removed.current = (id, next, pillar) => {
    if (currentId === id) go(null);
    // The focus stays with a member who is typing again: on a row, letters would be shortcuts.
    if (isTyping(document.activeElement)) return;
    if (next !== null) setFocusId(next);
    else keepFocusOn(`[data-add="${pillar}"]`);
  };
  const { askRemoval, asked, close, added } = useRemoval(pillars, index, remove);
  const current = currentId === null ? undefined : index.get(currentId);
  const order = useMemo(() => pillars.flatMap(({ memories }) => memories.map(({ id }) => id)), [pillars]);
  const at = currentId === null ? -1 : order.indexOf(currentId);
  const before = order[at - 1] ?? null;
  const after = at === -1 ? null : (order[at + 1] ?? null);
  const onNear = useReadingAhead(index, [before, after], isLeaving);
  const title = useKeptTitle(
    currentId,
    current?.row.title ?? (deleted !== null && deleted.id === currentId ? deleted.title : null),
  );

  useRowFocus(focusId, setFocusId, index);

  useEffect(() => {
    const add = () => setComposing({ pillar: pillars[0]?.role ?? 'IDENTITY', parentId: null });
    window.addEventListener(ADD_EVENT, add);
    return () => window.removeEventListener(ADD_EVENT, add);
  }, [pillars]);

  const onOpen = useCallback(
    (id: string, event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(id);
    },
    [go],
  );

  const { stopOf, onFocus: onStop, step } = useRoving(pillars, index);
  const onFocus = useCallback(
    (id: string) => {
      onStop(id);
      onNear(id);
    },
    [onStop, onNear],
  );
  const onKey = useRowKeys({
    pillars,
    index,
    canEdit,
    step,
    move,
    openPlace: useCallback((id: string) => go(id, 'place'), [go]),
    remove: useCallback(
      (id: string) => {
        onNear(null);
        askRemoval(id);
      },
      [askRemoval, onNear],
    ),
  });

  const { dragged, target, drag, toRoot } = useDrag(index, move, canEdit);

  return (
    <>
      <PillarLinks pillars={pillars} icons={icons} />
      <div
        className={cx(
          'grid items-start gap-x-5 gap-y-8 md:grid-cols-2',
          currentId === null ? 'xl:grid-cols-5' : 'lg:grid-cols-1 xl:grid-cols-2 2xl:grid-cols-3',
        )}
        onPointerEnter={() => preload(loadOpened)}
      >
        {pillars.map((pillar) => (
          <PillarColumn
            key={pillar.role}
            pillar={pillar}
            icon={icons[pillar.role]}
            stop={stopOf(pillar)}
            render={(row) => (
              <Row
                memberId={memberId}
                row={row}
                now={now}
                current={row.id === currentId}
                isStop={row.id === stopOf(pillar)}
                target={row.id === target}
                dragged={row.id === dragged}
                onOpen={onOpen}
                onKey={onKey}
                onFocus={onFocus}
                onNear={onNear}
                {...(drag ? { drag } : {})}
              />
            )}
            {...(canEdit
              ? {
                  edit: {
                    add: () => setComposing({ pillar: pillar.role, parentId: null }),
                    ...toRoot(pillar.role),
                  },
                }
              : {})}
          />
        ))}
      </div>
      <Sheet
        beside
        open={currentId !== null}
        tools={at === -1 ? null : <Neighbours before={before} after={after} go={goBeside} />}
        onOpenChange={(open) => {
          if (open) return;
          setFocusId(currentId);
          go(null);
        }}
        title={title}
      >
        {currentId ? (
          <MemoryPanel
            key={currentId}
            memberId={memberId}
            memoryId={currentId}
            opened={opened?.id === currentId ? opened : null}
            view={panelView(view)}
            setView={(view) => go(currentId, view)}
            canEdit={canEdit}
            mayGenerate={mayGenerate}
            pillars={pillars}
            index={index}
            onMove={(to) => move(currentId, to)}
            onDelete={() => askRemoval(currentId)}
            onNest={() => setComposing({ pillar: current?.pillar ?? 'IDENTITY', parentId: currentId })}
            onChanged={refresh}
            onReload={reload}
            now={now}
            deleted={deleted?.id === currentId ? deleted : null}
            onRestore={restore}
            doubles={doubles?.id === currentId ? doubles : null}
            onDoubles={(similar) =>
              setDoubles(similar.length > 0 ? { id: currentId, similar, added: false } : null)
            }
          />
        ) : null}
      </Sheet>
      <RemovalQuestion asked={asked} close={close} remove={remove} />
      {composing ? (
        <Compose
          memberId={memberId}
          spaceId={spaceId}
          place={composing}
          pillars={pillars}
          parentTitle={
            composing.parentId === null ? null : (index.get(composing.parentId)?.row.title ?? null)
          }
          mayGenerate={mayGenerate}
          onClose={() => setComposing(null)}
          onAdded={(id, similar) => {
            setComposing(null);
            added(id, composing.parentId);
            // A Memory that resembles another is opened with a notice, so that its author decides at once.
            if (similar.length > 0) {
              setDoubles({ id, similar, added: true });
              go(id);
            } else setFocusId(id);
            refresh();
          }}
        />
      ) : null}
    </>
  );
}

function panelView(value: string | null): PanelView {
  return value === 'historique' || value === 'place' ? value : 'texte';
}

/** The title of the open panel, also while it closes. « Mémoire » for one whose title is not known. */
function useKeptTitle(id: string | null, title: string | null): string {
  const kept = useRef({ id, title: 'Mémoire' });
  if (id !== null && title !== null) kept.current = { id, title };
  else if (id !== null && kept.current.id !== id) kept.current = { id, title: 'Mémoire' };
  return kept.current.title;
}
