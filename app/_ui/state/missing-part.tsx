'use client';
import type { ReactNode } from 'react';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Button } from '../action/button.tsx';
import { toast } from '../toast.ts';
import { Notice } from './notice.tsx';

const CHANGED = 'Atelier a changé depuis que cette page est ouverte';
const reload = () => window.location.reload();

/** Whether the service no longer has the script of a part, because the page is of a former release. False if the network fails. */
async function isScriptGone(error: unknown): Promise<boolean> {
  const script = /\/_next\/static\/\S+/.exec(String(error))?.[0];
  if (!script) return false;
  const answer = await fetch(script, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  return answer?.status === 404 || answer?.status === 410;
}

/**
 * The message shown instead of a part whose script could not be loaded: why, and what to do. For a dialog or a menu, which `leave` closes, a toast
 * says it instead, and the result is null.
 */
export async function missingPart(error: unknown, retry: () => void, leave?: () => void): Promise<ReactNode> {
  const isFormer = await isScriptGone(error);
  if (!leave) return <Missing isFormer={isFormer} retry={retry} />;
  toast({
    name: 'missing-part',
    title: isFormer ? CHANGED : 'Ce que vous ouvriez n’est pas arrivé',
    description: isFormer
      ? 'Ce que vous ouvriez viendra quand vous l’aurez rechargée. Copiez d’abord ce que vous y avez saisi.'
      : 'Vérifiez votre réseau, puis réessayez.',
    tone: 'fail',
    ...(isFormer ? { undo: { label: 'Recharger la page', run: reload } } : {}),
  });
  leave();
  return null;
}

/**
 * A part that waits for its script is inert (`latePart`): its message must take presses. Removed by « Réessayer », the message hands its focus on.
 */
const wake = (place: HTMLElement | null) => {
  place?.closest('[data-late]')?.removeAttribute('inert');
  return focusBeside(place);
};

function Missing({ isFormer, retry }: { isFormer: boolean; retry: () => void }) {
  return (
    <div ref={wake} className="w-full min-w-0">
      <Notice
        tone="warn"
        role="status"
        action={
          <div className="flex flex-wrap gap-2">
            {isFormer ? null : (
              <Button size="sm" onClick={retry}>
                Réessayer
              </Button>
            )}
            <Button size="sm" onClick={reload}>
              Recharger la page
            </Button>
          </div>
        }
      >
        {isFormer
          ? `${CHANGED}\u00a0: copiez ce que vous y avez saisi, puis rechargez-la pour voir cette partie.`
          : 'Cette partie de la page n’est pas arrivée\u00a0; ce que vous avez saisi reste là.'}
      </Notice>
    </div>
  );
}

/** In milliseconds: a network that is back may not carry anything yet, so each new attempt waits. */
const PAUSES_MS = [1_000, 3_000, 9_000];

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function untilOnline(): Promise<void> {
  if (!navigator.onLine)
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
}

/**
 * Without network, says so and loads again once it is back, up to four times. Where there was a network as `error` came (`wasOnline`) and there still
 * is, rethrows it: the network is not the cause.
 */
export async function onceBack<Module>(
  load: () => Promise<Module>,
  error: unknown,
  wasOnline: boolean,
): Promise<Module> {
  if (!navigator.onLine)
    toast({
      name: 'lost-network',
      title: 'La connexion a été perdue',
      description: 'Ce que vous ouvriez s’affichera dès qu’elle reviendra.',
      tone: 'fail',
    });
  else if (wasOnline) throw error;
  for (const pauseMs of PAUSES_MS) {
    await untilOnline();
    try {
      return await load();
    } catch (failure) {
      if (await isScriptGone(failure)) throw failure;
      await pause(pauseMs);
    }
  }
  return load();
}
