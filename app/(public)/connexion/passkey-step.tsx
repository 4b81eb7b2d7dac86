'use client';
import { useEffect, useRef, useState } from 'react';
import { answerOf, sayRefusal } from '#app/_cockpit/act.ts';
import { browserRefusal, loadPasskeys, passkeyProblem } from '#app/_cockpit/verification/use-passkey.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { IDLE } from '#lib/http/actions/action-state.ts';
import { passkeyOptions, signInByPasskey } from './actions.ts';

/** How long before a challenge ends another takes its place in the browser's suggestions. */
const RENEW_MS = 8 * 60_000;

/**
 * Signs in with whatever passkey the browser holds: by a button, and by itself among the suggestions of the address field where the
 * browser can.
 */
export function PasskeyStep({ back }: { back: string }) {
  const [pending, setPending] = useState(false);
  const gone = useRef(false);

  useEffect(() => {
    gone.current = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const suggest = async (): Promise<void> => {
      const { browserSupportsWebAuthnAutofill } = await loadPasskeys();
      if (gone.current || !(await browserSupportsWebAuthnAutofill())) return;
      timer = setTimeout(suggest, RENEW_MS);
      await enterWithPasskey(back, true).catch(() => undefined);
    };
    // Nobody asked for suggestions: a browser that cannot give any says nothing.
    suggest().catch(() => undefined);
    return () => {
      gone.current = true;
      clearTimeout(timer);
      void loadPasskeys().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
    };
  }, [back]);

  const press = async () => {
    setPending(true);
    try {
      await enterWithPasskey(back, false);
    } catch (error) {
      const message = passkeyProblem(error);
      if (message) sayRefusal(browserRefusal(message));
    }
    setPending(false);
  };
  return (
    <Button className="h-11 w-full" pending={pending} onClick={press}>
      Utiliser une clé d’accès
    </Button>
  );
}

/** Throws what the browser throws; a refusal of ours is said, and only for what somebody chose. */
async function enterWithPasskey(back: string, isSuggestion: boolean): Promise<void> {
  const passkeys = loadPasskeys();
  const asked = await answerOf(passkeyOptions(IDLE, new FormData()));
  if (asked?.status !== 'done' || !asked.data) {
    if (asked?.status === 'refused' && !isSuggestion) sayRefusal(asked);
    return;
  }
  const { startAuthentication } = await passkeys;
  const answer = await startAuthentication({ optionsJSON: asked.data, useBrowserAutofill: isSuggestion });
  const form = new FormData();
  form.set('answer', JSON.stringify(answer));
  form.set('retour', back);
  const state = await answerOf(signInByPasskey(IDLE, form));
  if (state?.status === 'refused') sayRefusal(state);
}
