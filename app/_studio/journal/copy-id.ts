import { toast } from '#app/_ui/toast.ts';

/** Puts a row's identifier on the clipboard; where the browser refuses, gives it to be copied by hand. Loaded on demand. */
export async function copyId(id: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(id);
    toast({ title: 'Identifiant copié', description: id, tone: 'ok' });
  } catch {
    toast({
      title: 'Le navigateur a refusé la copie',
      description: `Copiez-le d’ici\u00a0: ${id}`,
      tone: 'fail',
    });
  }
}
