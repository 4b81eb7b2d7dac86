import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import type { Step } from './history.ts';
import { isOver, type ModelAsset } from './model.ts';
import { liveUploads, pickFrom, type Stage, unlessGone } from './stage.ts';

/** What members do with the bin, played for real and in the model. */
export async function playBin(stage: Stage, step: Step): Promise<void> {
  const { s, model } = stage;
  const { b, c } = step;
  const upload = pickFrom(liveUploads(stage), b);
  const now = s.clock.now();
  switch (step.does) {
    case 'restore-files':
    case 'erase-files': {
      const isInBin = (one: ModelAsset) => !one.isGone && one.binnedAt !== null;
      const id = pickFrom([...model.assets.values()].filter(isInBin), b)?.generation;
      if (!id) return;
      const erases = step.does === 'erase-files';
      const what = { kind: 'files', id } as const;
      const actor = { ...s.ctx.actor, verifiedAt: now };
      const done = erases ? eraseBinned({ ...s.ctx, actor }, what) : restoreBinned(s.ctx, what);
      if (!(await unlessGone(done))) return;
      for (const one of [...model.assets.values()].filter(
        (file) => file.generation === id && isInBin(file),
      )) {
        if (erases) Object.assign(one, { isGone: true, binnedAvatars: new Map() });
        else if (!isOver(one.binnedAt ?? 0, now.getTime()))
          Object.assign(one, { binnedAt: null, restoredAt: now.getTime() });
      }
      return;
    }
    case 'restore-avatar': {
      const face = pickFrom(
        [...model.assets.values()].filter((one) => one.binnedAvatars.size > 0),
        b,
      );
      const id = pickFrom(face?.binnedAvatars.keys() ?? [], c);
      if (!face || !id || !(await unlessGone(restoreBinned(s.ctx, { kind: 'avatar', id })))) return;
      face.binnedAvatars.delete(id);
      face.avatar = id;
      return;
    }
    case 'restore-concept': {
      const id = pickFrom(model.binnedConcepts.keys(), b);
      if (!id || !(await unlessGone(restoreBinned(s.ctx, { kind: 'concept', id })))) return;
      model.binnedConcepts.delete(id);
      model.concepts.add(id);
      return;
    }
    case 'delete-upload':
      if (upload && (await unlessGone(deleteUpload(s.ctx, { uploadId: upload.id }))))
        upload.binnedAt = now.getTime();
      return;
    case 'restore-upload': {
      const id = pickFrom(
        [...model.uploads.values()].filter((one) => !one.isGone && one.binnedAt !== null),
        b,
      )?.id;
      const back = model.uploads.get(id ?? '');
      if (!id || !back || !(await unlessGone(restoreBinned(s.ctx, { kind: 'upload', id })))) return;
      Object.assign(back, { binnedAt: null, touchedAt: now.getTime() });
      return;
    }
  }
}
