import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Similar } from '../likeness/similar.ts';
import { getRevision } from './history.ts';
import { updateMemory } from './update-memory.ts';

export type SaveOutcome =
  | { outcome: 'saved'; version: number; similar: Similar[] }
  /** Somebody else saved in between: nothing written, and their text is returned. */
  | { outcome: 'conflict'; version: number; title: string; body: string };

/**
 * Saves an editor's text over the version that it opened. A change that left the text alone (a move) is no conflict; a change of text is, and
 * the current text comes back to be compared, unless it is identical and hence already saved. Errors: those of `updateMemory` but `conflict`.
 */
export async function saveMemory(
  ctx: Context<AccountActor>,
  input: { memoryId: string; openedVersion: number; title: string; body: string },
): Promise<SaveOutcome> {
  const text = { memoryId: input.memoryId, title: input.title, body: input.body };
  let expectedVersion = input.openedVersion;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { outcome: 'saved', ...(await updateMemory(ctx, { ...text, expectedVersion })) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
      const version = Number(error.options.detail);
      const [{ revision: current }, { revision: opened }] = await Promise.all([
        getRevision(ctx, { memoryId: input.memoryId, version }),
        getRevision(ctx, { memoryId: input.memoryId, version: input.openedVersion }),
      ]);
      // Written already: by a save whose answer was lost, or by somebody who typed the same. There is nothing to compare.
      if (current.title === input.title && current.body === input.body)
        return { outcome: 'saved', version, similar: [] };
      const untouched = current.title === opened.title && current.body === opened.body;
      if (!untouched || attempt === 3)
        return { outcome: 'conflict', version, title: current.title, body: current.body };
      expectedVersion = version;
    }
  }
}
