'use client';
import { unstable_rethrow } from 'next/navigation';
import { startTransition } from 'react';
import { lostWords } from '#app/_ui/lost-words.ts';
import { toast } from '#app/_ui/toast.ts';
import { forgetOnceOut } from './forget-once-out.ts';

/** Ends this browser's session, and deletes what this tab stored for the member. If the action is lost, says that the member is still signed in. */
export function leave(signOut: () => Promise<void>): void {
  startTransition(async () => {
    try {
      await forgetOnceOut(signOut());
    } catch (error) {
      unstable_rethrow(error);
      toast({
        title: 'Vous êtes encore connecté',
        description: lostWords(error),
        tone: 'fail',
      });
    }
  });
}
