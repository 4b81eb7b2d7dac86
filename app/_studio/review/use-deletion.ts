'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { toast } from '#app/_ui/toast.ts';
import { deleteMany, restoreMany } from './actions.ts';

const NONE: ReadonlySet<string> = new Set();

type Heard = {
  /** These generations have no files any more: they are in the bin, or somebody else deleted them. */
  deleted: (generationIds: readonly string[]) => void;
  /** The files of these generations are restored. */
  restored: (generationIds: readonly string[]) => void;
};

/** Moves the files of some generations to the bin, and offers an undo. `leaving`: the generations whose answer is awaited. */
export function useDeletion({ deleted, restored }: Heard) {
  const router = useRouter();
  const [leaving, setLeaving] = useState(NONE);
  const restore = async (ids: readonly string[]) => {
    const done = await act(restoreMany({ generationIds: [...ids] }));
    if (!done?.data) return false;
    restored(done.data.restored);
    if (done.message) toast({ title: done.message, tone: 'fail' });
    router.refresh();
    return true;
  };
  const remove = async (ids: readonly string[]) => {
    setLeaving((before) => new Set([...before, ...ids]));
    const done = await act(deleteMany({ generationIds: [...ids] }));
    setLeaving((before) => new Set([...before].filter((id) => !ids.includes(id))));
    if (!done?.data) return;
    const { deleted: gone, already, stays } = done.data;
    deleted([...gone, ...already]);
    if (gone.length > 0)
      toast({
        title: done.message ?? '',
        description: 'Ils y attendent 30 jours. Les lignes, leurs coûts et leurs écritures restent.',
        undo: { run: () => restore(gone) },
      });
    for (const one of stays) toast({ tone: 'fail', ...one });
    router.refresh();
  };
  return { leaving, remove, restore };
}
