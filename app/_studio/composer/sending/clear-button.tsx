'use client';
import { Button } from '#app/_ui/action/button.tsx';
import { toast } from '#app/_ui/toast.ts';
import { clearKind } from '../draft/clear-kind.ts';
import type { ComposerData, Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';

type Props = { draft: Draft; data: ComposerData; change: Change; onCleared: () => void };

/** Clears the current kind, and offers to undo that. */
export default function ClearButton({ draft, data, change, onCleared }: Props) {
  const clear = clearKind(draft, data);
  const empty = () => {
    if (!clear) return;
    change(clear.cleared);
    onCleared();
    toast({
      title: 'Demande vidée',
      description: 'Ce que les autres types ont en propre est gardé.',
      undo: { run: () => change(clear.restored) },
    });
  };
  return (
    <Button variant="quiet" size="sm" className="ml-auto" aria-disabled={!clear || undefined} onClick={empty}>
      Vider
    </Button>
  );
}
