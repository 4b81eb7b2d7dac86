import { toast } from '../toast.ts';

/**
 * Puts a text on the clipboard and says so; where the browser refuses, gives it to be copied by hand. To be called by the press itself: Safari
 * refuses a clipboard that is asked for once a script or an answer has come.
 */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ title: done, description: text, tone: 'ok' });
  } catch {
    toast({
      title: 'Le navigateur a refusé la copie',
      description: `Copiez-le d’ici\u00a0: ${text}`,
      tone: 'fail',
    });
  }
}
