import { ApiError, type ApiRefusal, refusalOf } from '#app/_ui/api-error.ts';
import { lostWords } from '#app/_ui/lost-words.ts';
import { toast } from '#app/_ui/toast.ts';

const OTHERWISE = 'Une erreur interne est survenue. Réessayez dans un instant.';

/**
 * Downloads what is at an address, once it is known that it would come: a refused download says nothing but that it failed, and one that was
 * navigated to takes the place of the page. What stands against it is said in the page.
 */
export async function download(address: string): Promise<void> {
  if (await wouldCome(address))
    Object.assign(document.createElement('a'), { href: address, download: '' }).click();
}

async function wouldCome(address: string): Promise<boolean> {
  try {
    // The headers alone: the file is made once somebody reads it. The sentence of a refusal comes with what answers a GET.
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
