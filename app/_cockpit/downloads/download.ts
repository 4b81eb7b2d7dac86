import { ApiError, type ApiRefusal, refusalOf } from '#app/_ui/api-error.ts';
import { lostWords } from '#app/_ui/lost-words.ts';
import { toast } from '#app/_ui/toast.ts';

const OTHERWISE = 'Une erreur interne est survenue. Réessayez dans un instant.';

/**
 * Downloads a file once the service is known to send it: a refused download only says that it failed, and navigating to a refusal would replace the
 * page. A toast says why a file is refused.
 */
export async function download(address: string): Promise<void> {
  if (await wouldCome(address))
    Object.assign(document.createElement('a'), { href: address, download: '' }).click();
}

async function wouldCome(address: string): Promise<boolean> {
  try {
    // A HEAD request first, because the file is only made once it is read. Only the answer to a GET contains the sentence of a
    // refusal.
    if ((await fetch(address, { method: 'HEAD' })).ok) return true;
    const answer = await fetch(address);
    if (!answer.ok) throw refusalOf(answer, await answer.json().catch(() => null), OTHERWISE);
    await answer.body?.cancel();
    return true;
  } catch (error) {
    const refusal: Partial<ApiRefusal> = error instanceof ApiError ? error.refusal : {};
    toast({
      name: 'download',
      title: 'Rien n’a été téléchargé',
      description: refusal.problems?.[0]?.message ?? refusal.message ?? lostWords(),
      tone: 'fail',
      requestId: refusal.requestId,
    });
    return false;
  }
}
