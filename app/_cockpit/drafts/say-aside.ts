import { toast } from '#app/_ui/toast.ts';

/** Says that a text was set aside, and offers to restore it as long as the toast is shown. */
export function sayAside(takeBack: () => void): void {
  toast({
    title: 'Votre texte est mis de côté',
    description: 'Il est perdu si vous fermez ce message.',
    undo: { label: 'Reprendre mon texte', run: takeBack },
  });
}
