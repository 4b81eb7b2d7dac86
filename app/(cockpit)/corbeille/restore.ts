'use client';
import { act } from '#app/_cockpit/act.ts';
import type { BinnedRef } from '#lib/storage/bin/binned-kinds.ts';
import { restoreThing } from './actions.ts';

/** Restores an item of the bin, to undo its deletion. Returns whether it did; a refusal has been shown already. */
export async function restore(thing: BinnedRef): Promise<boolean> {
  return (await act(restoreThing(thing))) !== null;
}
