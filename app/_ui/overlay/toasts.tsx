'use client';
import { Toast } from '@base-ui/react/toast';
import { CircleAlert, CircleCheck, X } from 'lucide';
import { useEffect } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { RequestId } from '../state/notice.tsx';
import { onToast, type ToastMessage, toast, type Undo } from '../toast.ts';

type Data = { tone: NonNullable<ToastMessage['tone']>; requestId?: string | undefined };
const manager = Toast.createToastManager<Data>();

/** The identifier of the toast shown under each name. */
const named = new Map<string, string>();

function show(message: ToastMessage): void {
  const { title, description, tone = 'neutral', requestId, undo, name, onGone } = message;
  const before = name === undefined ? undefined : named.get(name);
  let answered = false;
  const id: string = manager.add({
    title,
    ...(description ? { description } : {}),
    data: { tone, requestId },
    priority: tone === 'fail' ? 'high' : 'low',
    timeout: undo || tone === 'fail' ? 10_000 : 5_000,
    ...(undo
      ? {
          actionProps: {
            children: undo.label ?? 'Annuler',
            onClick: () => {
              if (answered) return;
              answered = true;
              manager.close(id);
              void takeBack(message, undo);
            },
          },
        }
      : {}),
    onClose: () => {
      const replaced = name !== undefined && named.get(name) !== id;
      if (name !== undefined && !replaced) named.delete(name);
      // Not once the undo was pressed: if it fails, the toast is shown again.
      if (!answered && !replaced) onGone?.();
    },
  });
  if (name !== undefined) named.set(name, id);
  if (before !== undefined) manager.close(before);
}

/** Runs an undo. If it fails, the toast is shown again, for as long as the first time. */
async function takeBack(message: ToastMessage, undo: Undo): Promise<void> {
  const done = await Promise.resolve()
    .then(undo.run)
    .catch(() => {
      toast({
        title: 'L’annulation n’a pas abouti',
        description: 'Rien d’autre n’a changé. Vérifiez votre réseau, puis réessayez.',
        tone: 'fail',
      });
      return false;
    });
  if (done === false) show(message);
}

/** More toasts than fit on the screen, so that none, above all none with an undo, is removed before its time. The list scrolls. */
const LIMIT = 50;

/** The list of toasts. F6 moves the focus to it, Escape leaves it. Loaded on demand. */
export default function Toasts() {
  useEffect(() => onToast(show), []);
  return (
    <Toast.Provider toastManager={manager} limit={LIMIT}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-[calc(1rem+var(--safe-right))] bottom-[calc(1rem+var(--safe-bottom))] z-60 flex w-[min(24rem,calc(100vw-2rem))] max-h-[60dvh] flex-col-reverse gap-2 overflow-y-auto outline-none max-lg:bottom-[calc(5rem+var(--safe-bottom))] lg:in-[:root:has([data-beside])]:right-[calc(var(--beside)+1rem)] [body:has([data-chosen])_&]:bottom-[calc(5rem+var(--safe-bottom))] max-lg:[body:has([data-chosen])_&]:bottom-[calc(9rem+var(--safe-bottom))]">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager<Data>();
  return toasts.map((one) => (
    <Toast.Root
      key={one.id}
      toast={one}
      className="rounded-md border border-line bg-raised text-ink shadow-raised transition-[opacity,translate] duration-200 data-ending-style:translate-y-2 data-starting-style:translate-y-2 data-ending-style:opacity-0 data-limited:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 p-3">
        {one.data?.tone === 'ok' ? (
          <Icon of={CircleCheck} size={16} className="mt-0.5 shrink-0 text-ok" />
        ) : null}
        {one.data?.tone === 'fail' ? (
          <Icon of={CircleAlert} size={16} className="mt-0.5 shrink-0 text-fail" />
        ) : null}
        <div className="min-w-0 grow">
          <Toast.Title className="wrap-anywhere font-medium text-sm" />
          <Toast.Description className="wrap-anywhere mt-0.5 text-ink-soft text-sm" />
          {one.data?.requestId ? <RequestId id={one.data.requestId} /> : null}
          {one.actionProps ? (
            <Toast.Action className="touch mt-1.5 -ml-1 rounded-xs px-1 py-0.5 font-medium text-accent-ink text-sm hover:bg-hover" />
          ) : null}
        </div>
        <Toast.Close
          aria-label="Fermer ce message"
          className="touch -my-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink"
        >
          <Icon of={X} size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
