'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import {
  type DragEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from 'react';
import { act } from '#app/_cockpit/act.ts';
import { PillarIcon } from '#app/_ui/data/pillar.tsx';
import { Sheet } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/overlay/toast.ts';
import type { MemoryDetail } from '#lib/brain/cockpit/get-memory.ts';
import type { PillarView } from '#lib/brain/cockpit/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { deleteMemory, moveMemory, undoDelete } from '../actions.ts';
import { ADD_EVENT } from './add-event.ts';
import { PillarColumn } from './pillar-column.tsx';
import { Row, type RowHandlers } from './row.tsx';
import { indexRows, isWithin, neighbour, type Place } from './tree.ts';

const loadPanel = () => import('./memory-panel.tsx');
const MemoryPanel = lazy(loadPanel);
const Compose = lazy(() => import('./compose.tsx'));

export type PanelView = 'texte' | 'historique' | 'place';

type BoardProps = {
  spaceId: string;
  canEdit: boolean;
  pillars: PillarView[];
  now: Date;
  /** The Memory that the address names, when it is there. */
  opened: MemoryDetail | null;
};

/** The five pillars, and all that one does with their Memories. */
export function Board({ spaceId, canEdit, pillars, now, opened }: BoardProps) {
  const router = useRouter();
  const path = usePathname();
  const search = useSearchParams();
  const [, start] = useTransition();
  const [held, setHeld] = useState<string | null>(null);
  const [target, setTarget] = useState<string | null>(null);
  const [composing, setComposing] = useState<Place | null>(null);
  const [focusId, setFocusId] = useState<string | null>(null);
  const index = useMemo(() => indexRows(pillars), [pillars]);
  const currentId = search.get('memoire');
  const current = currentId === null ? undefined : index.get(currentId);
  const lastTitle = useRef('');
  if (current) lastTitle.current = current.row.title;

  const go = useCallback(
    (id: string | null, view: PanelView = 'texte') => {
      const query = new URLSearchParams(window.location.search);
      query.delete('memoire');
      query.delete('vue');
      if (id) query.set('memoire', id);
      if (id && view !== 'texte') query.set('vue', view);
      const text = query.toString();
      window.history.pushState(null, '', text ? `${path}?${text}` : path);
    },
    [path],
  );

  // A row that changes pillar is another element: the focus follows it.
  useEffect(() => {
    if (!focusId || !index.has(focusId)) return;
    document.querySelector<HTMLElement>(`[data-row="${focusId}"]`)?.focus();
    setFocusId(null);
  }, [focusId, index]);

  useEffect(() => {
    const add = () => setComposing({ pillar: pillars[0]?.role ?? 'IDENTITY', parentId: null });
    window.addEventListener(ADD_EVENT, add);
    return () => window.removeEventListener(ADD_EVENT, add);
  }, [pillars]);

  const move = useCallback(
    (id: string, to: Place, refocus = false) => {
      const from = index.get(id);
      if (!from || (from.pillar === to.pillar && from.row.parentId === to.parentId)) return;
      start(async () => {
        const done = await act(moveMemory({ memoryId: id, ...to }));
        if (!done?.data) return;
        const { before } = done.data;
        if (refocus) setFocusId(id);
        const under = to.parentId === null ? null : index.get(to.parentId)?.row.title;
        const label = pillars.find(({ role }) => role === to.pillar)?.label;
        toast({
          title: under ? `Rangée sous «\u00a0${under}\u00a0»` : `Rangée à la racine de ${label}`,
          tone: 'ok',
          undo: {
            run: async () => {
              if (await act(moveMemory({ memoryId: id, ...before }))) router.refresh();
            },
          },
        });
        router.refresh();
      });
    },
    [index, pillars, router],
  );

  const remove = useCallback(
    (id: string) => {
      start(async () => {
        const done = await act(deleteMemory({ memoryId: id }));
        if (!done?.data) return;
        const { deletionId, deleted, title } = done.data;
        if (currentId === id) go(null);
        toast({
          title: deleted > 1 ? `${deleted} mémoires supprimées` : 'Mémoire supprimée',
          description: deleted > 1 ? `«\u00a0${title}\u00a0» et ce qu’elle contenait` : title,
          undo: {
            run: async () => {
              const undone = await act(undoDelete({ deletionId }));
              if (!undone?.data) return;
              toast({
                title:
                  undone.data.restored > 1
                    ? `${undone.data.restored} mémoires rétablies`
                    : 'Mémoire rétablie',
                ...(undone.data.atRoot
                  ? { description: 'À la racine de son pilier\u00a0: sa mémoire parente n’est plus là.' }
                  : {}),
                tone: 'ok',
              });
              setFocusId(undone.data.memoryId);
              router.refresh();
            },
          },
        });
        router.refresh();
      });
    },
    [currentId, go, router],
  );

  const onOpen = useCallback(
    (id: string, event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(id);
    },
    [go],
  );

  const onKey = useCallback(
    (id: string, event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step !== 0) {
        const here = index.get(id);
        const rows = pillars.find(({ role }) => role === here?.pillar)?.memories;
        const next = rows?.[(here?.at ?? 0) + step];
        event.preventDefault();
        if (next) document.querySelector<HTMLElement>(`[data-row="${next.id}"]`)?.focus();
        return;
      }
      if (!canEdit) return;
      if (event.shiftKey && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
        event.preventDefault();
        const to = neighbour(pillars, index, id, event.key === 'ArrowRight' ? 'in' : 'out');
        if (to) move(id, to, true);
      } else if (event.key === 'd') {
        event.preventDefault();
        go(id, 'place');
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault();
        remove(id);
      }
    },
    [canEdit, go, index, move, pillars, remove],
  );

  const endDrag = () => {
    setHeld(null);
    setTarget(null);
  };
  const drag: RowHandlers['drag'] = canEdit
    ? {
        start: (id, event) => {
          event.dataTransfer.setData('text/plain', index.get(id)?.row.title ?? '');
          event.dataTransfer.effectAllowed = 'move';
          setHeld(id);
        },
        over: (id, event) => {
          if (!held || isWithin(index, id, held)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'move';
          setTarget(id);
        },
        leave: (id) => setTarget((now) => (now === id ? null : now)),
        drop: (id, event) => {
          event.preventDefault();
          const pillar = index.get(id)?.pillar;
          if (held && pillar && !isWithin(index, id, held)) move(held, { pillar, parentId: id });
          endDrag();
        },
        end: endDrag,
      }
    : undefined;

  const toRoot = (pillar: PillarRole) => ({
    dragging: held !== null,
    over: (event: DragEvent) => {
      if (!held) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    drop: (event: DragEvent) => {
      event.preventDefault();
      if (held) move(held, { pillar, parentId: null });
      endDrag();
    },
  });

  return (
    <>
      <nav aria-label="Piliers" className="-mx-4 mb-4 flex gap-1.5 overflow-x-auto px-4 md:hidden">
        {pillars.map(({ role, icon, label, memories }) => (
          <a
            key={role}
            href={`#${role.toLowerCase()}`}
            className="touch inline-flex h-8 shrink-0 items-center gap-1.5 rounded-full border border-line px-3 text-sm"
          >
            <PillarIcon role={role} icon={icon} />
            {label}
            <span className="tabular text-ink-faint text-xs">{memories.length}</span>
          </a>
        ))}
      </nav>
      <div
        className="grid items-start gap-x-5 gap-y-8 md:grid-cols-2 xl:grid-cols-5"
        onPointerEnter={loadPanel}
      >
        {pillars.map((pillar) => (
          <PillarColumn
            key={pillar.role}
            pillar={pillar}
            render={(row) => (
              <Row
                row={row}
                now={now}
                current={row.id === currentId}
                target={row.id === target}
                held={row.id === held}
                onOpen={onOpen}
                onKey={onKey}
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
        open={currentId !== null}
        onOpenChange={(open) => {
          if (open) return;
          setFocusId(currentId);
          go(null);
        }}
        title={current?.row.title ?? lastTitle.current ?? 'Mémoire'}
      >
        {currentId ? (
          <Suspense fallback={<p role="status">Chargement…</p>}>
            <MemoryPanel
              key={currentId}
              memoryId={currentId}
              opened={opened?.id === currentId ? opened : null}
              view={panelView(search.get('vue'))}
              setView={(view) => go(currentId, view)}
              canEdit={canEdit}
              pillars={pillars}
              index={index}
              onMove={(to) => move(currentId, to)}
              onDelete={() => remove(currentId)}
              onNest={() => setComposing({ pillar: current?.pillar ?? 'IDENTITY', parentId: currentId })}
              onChanged={() => router.refresh()}
            />
          </Suspense>
        ) : null}
      </Sheet>
      {composing ? (
        <Suspense>
          <Compose
            spaceId={spaceId}
            place={composing}
            pillars={pillars}
            parentTitle={
              composing.parentId === null ? null : (index.get(composing.parentId)?.row.title ?? null)
            }
            onClose={() => setComposing(null)}
            onAdded={(id) => {
              setComposing(null);
              setFocusId(id);
              router.refresh();
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function panelView(value: string | null): PanelView {
  return value === 'historique' || value === 'place' ? value : 'texte';
}
