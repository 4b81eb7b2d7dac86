import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush, releaseCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { attachToConcept, deleteConcept, detachFromConcept } from '#lib/storage/assets/concepts.ts';
import { addLesson, deleteLesson } from '#lib/storage/assets/lessons.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addAsset, addGeneration, addUpload, DAY_MS, putOld } from '#tests/factories/files/files.ts';
import type { Step } from './history.ts';
import type { ModelAsset, ModelUpload } from './model.ts';
import { playBin } from './play-bin.ts';
import { live, liveUploads, pickFrom, type Stage, unlessGone } from './stage.ts';

const ages = [0, 3, 20, 29, 31, 45, 90];

async function bornAsset(stage: Stage, generation: string | null, ageDays: number, imported = false) {
  const { s, model } = stage;
  const made = await addAsset(s, { generationId: generation, ageDays, imported });
  const asset: ModelAsset = {
    id: made.id,
    generation,
    pathname: made.pathname,
    state: 'GENERATED',
    createdAt: s.clock.now().getTime() - ageDays * DAY_MS,
    imported,
    avatar: null,
    lessons: [],
    concept: null,
    hasChanged: false,
    usedAt: null,
    binnedAvatars: new Map(),
    binnedAt: null,
    restoredAt: 0,
    isGone: false,
  };
  model.assets.set(asset.id, asset);
}

async function bornGeneration(
  stage: Stage,
  input: { ageDays: number; files: number; ancestor?: string; kind?: 'IMAGE' | 'RENDER' },
) {
  const { ageDays, files, ancestor, kind = 'IMAGE' } = input;
  const id = await addGeneration(stage.s, { ageDays, kind, ancestorId: ancestor ?? null });
  stage.model.generations.set(id, {
    id,
    kind,
    ancestor: ancestor ?? null,
    isOpen: false,
    reads: [],
    voiceOf: null,
  });
  for (let n = 0; n < files; n += 1) await bornAsset(stage, id, ageDays);
}

/** A generation starts on files that are there: it finds them as the studio does, and touches the uploads. */
async function start(stage: Stage, step: Step) {
  const { s, model } = stage;
  const asset = step.a % 3 ? pickFrom(live(stage), step.b) : undefined;
  const upload = step.a % 2 ? pickFrom(liveUploads(stage), step.c) : undefined;
  const voice = step.a % 5 === 0 ? pickFrom(live(stage), step.c)?.generation : null;
  const found = await s.service.pool.query<{ pathname: string }>(
    `WITH touched AS (UPDATE "Upload" SET "touchedAt" = $3 WHERE "id" = $2 AND "deletedAt" IS NULL
       AND "expiringAt" IS NULL RETURNING "pathname"),
     used AS (UPDATE "Asset" SET "usedAt" = $3 WHERE "id" = $1 AND "deletedAt" IS NULL
       AND "expiringAt" IS NULL RETURNING "pathname")
     SELECT "pathname" FROM touched UNION ALL SELECT "pathname" FROM used`,
    [asset?.id ?? '', upload?.id ?? '', s.clock.now()],
  );
  const reads = found.rows.map((row) => row.pathname);
  if (asset && reads.includes(asset.pathname)) asset.usedAt = s.clock.now().getTime();
  if (upload && reads.includes(upload.pathname)) upload.touchedAt = s.clock.now().getTime();
  const id = await addGeneration(s, {
    kind: 'VIDEO',
    state: 'SUBMITTED',
    references: {
      roles: { images: reads.map((pathname) => ({ ref: 'https://x', pathname })) },
      ...(voice ? { voiceGenerationId: voice } : {}),
    },
  });
  model.generations.set(id, {
    id,
    kind: 'VIDEO',
    ancestor: null,
    isOpen: true,
    reads,
    voiceOf: voice ?? null,
  });
}

/** Plays one event of a member, of the studio or of time; passes are played elsewhere. */
export async function play(stage: Stage, step: Step): Promise<void> {
  const { s, model } = stage;
  const { a, b, c } = step;
  const asset = pickFrom(live(stage), b);
  const upload = pickFrom(liveUploads(stage), b);
  const ageDays = ages[a % ages.length] ?? 0;
  const now = s.clock.now();
  switch (step.does) {
    case 'generate':
      return bornGeneration(stage, { ageDays, files: 1 + (c % 2) });
    case 'render':
      return bornGeneration(stage, { ageDays, files: 2 + (c % 2), kind: 'RENDER' });
    case 'variant': {
      const ancestor = pickFrom(model.generations.values(), b)?.id;
      return bornGeneration(stage, { ageDays, files: c % 3, ...(ancestor ? { ancestor } : {}) });
    }
    case 'import':
      return bornAsset(stage, null, ageDays, true);
    case 'start':
      return start(stage, step);
    case 'finish': {
      const running = pickFrom(
        [...model.generations.values()].filter((one) => one.isOpen),
        b,
      );
      if (!running) return;
      await s.service.pool.query(
        `UPDATE "Generation" SET "state" = 'FAILED', "code" = 'video_timeout', "closedAt" = $2 WHERE "id" = $1`,
        [running.id, now],
      );
      running.isOpen = false;
      return;
    }
    case 'approve':
    case 'reject':
    case 'deliver': {
      if (!asset) return;
      const review = step.does;
      const state = { approve: 'APPROVED', reject: 'REJECTED', deliver: 'DELIVERED' } as const;
      if (await unlessGone(reviewAsset(s.ctx, { assetId: asset.id, review, reason: 'Hors charte' })))
        asset.state = state[review];
      return;
    }
    case 'save-avatar':
      if (asset)
        await unlessGone(
          saveAvatar(s.ctx, { assetId: asset.id, name: 'Visage' }).then(({ id }) => {
            asset.avatar = id;
          }),
        );
      return;
    case 'delete-avatar': {
      const face = pickFrom(
        [...model.assets.values()].filter((one) => one.avatar),
        b,
      );
      if (!face?.avatar) return;
      await deleteAvatar(s.ctx, { avatarId: face.avatar });
      face.binnedAvatars.set(face.avatar, now.getTime());
      face.avatar = null;
      return;
    }
    case 'create-concept':
      model.concepts.add((await addConcept(s.ctx, { productId: 'libre', name: 'Idée' })).id);
      return;
    case 'attach': {
      const conceptId = pickFrom(model.concepts, c);
      if (!asset || !conceptId) return;
      if (await unlessGone(attachToConcept(s.ctx, { conceptId, assetId: asset.id })))
        asset.concept = conceptId;
      return;
    }
    case 'detach':
      if (asset && (await unlessGone(detachFromConcept(s.ctx, { assetId: asset.id })))) asset.concept = null;
      return;
    case 'delete-concept': {
      const conceptId = pickFrom(model.concepts, b);
      if (!conceptId) return;
      await deleteConcept(s.ctx, { conceptId });
      model.concepts.delete(conceptId);
      model.binnedConcepts.set(conceptId, now.getTime());
      return;
    }
    case 'add-lesson':
      if (asset)
        await unlessGone(
          addLesson(s.ctx, { assetId: asset.id, text: 'Leçon' }).then(({ id }) => asset.lessons.push(id)),
        );
      return;
    case 'delete-lesson': {
      const taught = pickFrom(
        [...model.assets.values()].filter((one) => one.lessons.length > 0),
        b,
      );
      const lessonId = taught?.lessons.pop();
      if (lessonId) await deleteLesson(s.ctx, { lessonId });
      return;
    }
    case 'upload': {
      const made = await addUpload(s, { ageDays });
      const touchedAt = now.getTime() - ageDays * DAY_MS;
      const born: ModelUpload = {
        ...made,
        touchedAt,
        rush: null,
        hasChanged: false,
        binnedAt: null,
        isGone: false,
      };
      model.uploads.set(made.id, born);
      return;
    }
    case 'touch': {
      if (!upload) return;
      const { rowCount } = await s.service.pool.query(
        'UPDATE "Upload" SET "touchedAt" = $2 WHERE "id" = $1 AND "deletedAt" IS NULL AND "expiringAt" IS NULL',
        [upload.id, now],
      );
      if (rowCount) upload.touchedAt = now.getTime();
      return;
    }
    case 'keep-rush':
      if (upload)
        await unlessGone(
          keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Rush' }).then(({ id }) => {
            upload.rush = id;
            upload.touchedAt = now.getTime();
          }),
        );
      return;
    case 'release-rush': {
      const held = pickFrom(
        [...model.uploads.values()].filter((one) => one.rush),
        b,
      );
      if (!held?.rush) return;
      await releaseCaptureRush(s.ctx, { rushId: held.rush });
      held.rush = null;
      held.touchedAt = now.getTime();
      return;
    }
    case 'orphan': {
      stage.serial += 1;
      const folder = pickFrom(
        ['generations/gen_perdu', 'products/p', 'references/libre', 'avatars', 'libre'],
        b,
      );
      const at = new Date(now.getTime() - ageDays * DAY_MS);
      await putOld(s, `${folder}/perdu-${stage.serial}.png`, Buffer.from(`${stage.serial}`), at);
      return;
    }
    case 'change-bytes': {
      const file = a % 2 ? asset : upload;
      if (!file || !s.store.files.has(file.pathname)) return;
      stage.serial += 1;
      await putOld(s, file.pathname, Buffer.from(`changed ${stage.serial}`), now);
      file.hasChanged = true;
      return;
    }
    case 'delete-files': {
      const id = pickFrom(model.generations.values(), b)?.id;
      if (!id || !(await unlessGone(deleteGenerationFiles(s.ctx, { generationId: id })))) return;
      const { rows } = await s.service.pool.query<{ id: string }>(
        'SELECT "id" FROM "Asset" WHERE "generationId" = $1 AND "binnedBy" IS NOT NULL',
        [id],
      );
      for (const one of live(stage))
        if (one.generation === id) {
          // What retention had claimed is not in the bin: its bytes may be gone.
          if (rows.some((row) => row.id === one.id)) one.binnedAt = now.getTime();
          else one.isGone = true;
        }
      return;
    }
    case 'restore-files':
    case 'erase-files':
    case 'restore-avatar':
    case 'restore-concept':
    case 'delete-upload':
    case 'restore-upload':
      return playBin(stage, step);
    case 'clock-forward':
      return s.clock.advance((1 + (b % 40)) * DAY_MS);
    case 'clock-back':
      return s.clock.advance(-(1 + (b % 20)) * DAY_MS);
  }
}
