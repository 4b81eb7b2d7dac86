'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { count } from '#app/_ui/format.ts';
import { toast } from '#app/_ui/toast.ts';
import { deleteMany } from './actions.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Deletes the files of some rows once ten seconds have passed without « Annuler »: until then they are only hidden, and whoever leaves the
 * page has deleted nothing. `deleted` hears of the rows whose files are gone.
 */
export function useDeletion(deleted: (generationIds: readonly string[]) => void) {
  const router = useRouter();
  const [leaving, setLeaving] = useState(NONE);
  const back = (ids: readonly string[]) =>
    setLeaving((before) => new Set([...before].filter((id) => !ids.includes(id))));
  const finish = async (ids: readonly string[]) => {
    const done = await act(deleteMany({ generationIds: [...ids] }));
    if (done?.data) {
      const { refused } = done.data;
      deleted(done.data.deleted);
      if (refused.length > 0)
        toast({
          title: count(refused.length, 'génération garde ses fichiers', 'générations gardent leurs fichiers'),
          description: [...new Set(refused.flatMap(({ message }) => message ?? []))].slice(0, 2).join(' '),
          tone: 'fail',
        });
      router.refresh();
    }
    back(ids);
  };
  const remove = (ids: readonly string[]) => {
    setLeaving((before) => new Set([...before, ...ids]));
    toast({
      title: `Les fichiers ${ids.length > 1 ? `de ${ids.length} générations` : 'd’une génération'} seront supprimés dans 10\u00a0s`,
      description: 'Les lignes, leurs coûts et leurs écritures restent.',
      undo: { run: () => back(ids) },
      onGone: () => void finish(ids),
    });
  };
  return { leaving, remove };
}
