import { toast } from '../toast.ts';

/**
 * Writes a text to the clipboard and says so in a toast; if the browser refuses, the toast shows the text. Call it directly from the click: Safari
 * refuses the clipboard once a script or an answer has been awaited.
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
