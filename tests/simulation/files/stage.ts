import type { FilesScene } from '#tests/factories/files/files.ts';
import { Model } from './model.ts';

/** One account's history as it is played: what really is and what it should be. */
export type Stage = { s: FilesScene; model: Model; serial: number };

export function newStage(s: FilesScene): Stage {
  return { s, model: new Model(), serial: 0 };
}

/** The n-th of them, going round. */
export const pickFrom = <T>(items: Iterable<T>, n: number): T | undefined => {
  const all = [...items];
  return all.length === 0 ? undefined : all[n % all.length];
};

/** Files that are there for members. */
export const live = (stage: Stage) =>
  [...stage.model.assets.values()].filter((asset) => !asset.isGone && asset.binnedAt === null);
export const liveUploads = (stage: Stage) =>
  [...stage.model.uploads.values()].filter((upload) => !upload.isGone && upload.binnedAt === null);

/** A refusal of a file that retention has claimed already: nothing happened. */
export async function unlessGone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (['not_found', 'conflict'].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}
