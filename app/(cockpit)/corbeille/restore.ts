'use client';
import { act } from '#app/_cockpit/act.ts';
import type { BinnedRef } from '#lib/storage/bin/binned-kinds.ts';
import { restoreThing } from './actions.ts';

/** Brings a thing back from the bin, for an undo; answers whether it did, and a refusal has been said. */
export async function restore(thing: BinnedRef): Promise<boolean> {
  return (await act(restoreThing(thing))) !== null;
}
