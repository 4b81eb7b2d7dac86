'use client';
import { ArchiveRestore } from 'lucide';
import { useRouter } from 'next/navigation';
import { useTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { setArchived } from './actions.ts';

/** Unarchives a Space. It disappears with the notice that the Space is archived. */
export function Unarchive({ spaceId, name }: { spaceId: string; name: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      if (!(await act(setArchived({ spaceId, archived: false })))) return;
      toast({ title: `Espace «\u00a0${name}\u00a0» réactivé`, tone: 'ok' });
      router.refresh();
    });
  return (
    <Button
      ref={focusBeside}
      size="sm"
      icon={ArchiveRestore}
      pending={pending}
      onClick={run}
      aria-label={`Réactiver «\u00a0${name}\u00a0»`}
    >
      Réactiver
    </Button>
  );
}
