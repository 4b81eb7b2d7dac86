import type { AssetState, GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';

type ModelGeneration = {
  id: string;
  kind: GenerationKind;
  ancestor: string | null;
  isOpen: boolean;
  /** What it reads while it runs. */
  reads: string[];
  voiceOf: string | null;
};

export type ModelAsset = {
  id: string;
  generation: string | null;
  pathname: string;
  state: AssetState;
  createdAt: number;
  imported: boolean;
  avatar: string | null;
  lessons: string[];
  concept: string | null;
  hasChanged: boolean;
  /** Last time a request took it as a reference. */
  usedAt: number | null;
  /** Avatars of it that wait in the bin, each since when. */
  binnedAvatars: Map<string, number>;
  /** In the bin since then. */
  binnedAt: number | null;
  restoredAt: number;
  /** Its bytes are nobody's any more: erased by the bin, by a founder or by retention. */
  isGone: boolean;
};

export type ModelUpload = {
  id: string;
  pathname: string;
  touchedAt: number;
  rush: string | null;
  hasChanged: boolean;
  binnedAt: number | null;
  isGone: boolean;
};

/** Strictly more than 30 days. */
export const isOver = (since: number, now: number) => now - since > 30 * DAY_MS;

/** What happened, and the rules of the spec in plain JavaScript: written apart from the ones in SQL, to judge them. */
export class Model {
  generations = new Map<string, ModelGeneration>();
  assets = new Map<string, ModelAsset>();
  uploads = new Map<string, ModelUpload>();
  concepts = new Set<string>();
  /** Concepts of the bin, each since when. */
  binnedConcepts = new Map<string, number>();

  private relatives(generation: string): Set<string> {
    const related = new Set([generation]);
    for (let size = 0; size < related.size; ) {
      size = related.size;
      for (const one of this.generations.values()) {
        if (one.ancestor && related.has(one.id)) related.add(one.ancestor);
        if (one.ancestor && related.has(one.ancestor)) related.add(one.id);
      }
    }
    related.delete(generation);
    return related;
  }

  private isPassed(asset: ModelAsset): boolean {
    return (
      !asset.isGone && asset.binnedAt === null && (asset.state === 'APPROVED' || asset.state === 'DELIVERED')
    );
  }

  private isRead(pathname: string): boolean {
    return [...this.generations.values()].some((one) => one.isOpen && one.reads.includes(pathname));
  }

  /** Rule 2, and rule 1's age, and the bin's 30 days: whether a night may delete this file now. */
  mayExpire(asset: ModelAsset, now: number): boolean {
    if (asset.binnedAt !== null) return isOver(asset.binnedAt, now);
    if (!isOver(Math.max(asset.createdAt, asset.restoredAt), now) || this.isPassed(asset)) return false;
    // What would come back to it from the bin keeps it, until the night that erases that first.
    if ([...asset.binnedAvatars.values()].some((at) => !isOver(at, now))) return false;
    const conceptAt = this.binnedConcepts.get(asset.concept ?? '');
    if (conceptAt !== undefined && !isOver(conceptAt, now)) return false;
    if (asset.avatar || asset.lessons.length > 0 || asset.imported) return false;
    if (asset.concept && this.concepts.has(asset.concept)) return false;
    if (this.isRead(asset.pathname)) return false;
    if (asset.usedAt !== null && Math.abs(now - asset.usedAt) <= 3_600_000) return false;
    const { generation } = asset;
    if (generation === null) return true;
    const own = this.generations.get(generation);
    if (own?.isOpen) return false;
    for (const one of this.generations.values()) if (one.isOpen && one.voiceOf === generation) return false;
    const relatives = this.relatives(generation);
    for (const other of this.assets.values()) {
      if (!this.isPassed(other) || other.generation === null) continue;
      if (relatives.has(other.generation)) return false;
      if (own?.kind === 'RENDER' && other.generation === generation) return false;
    }
    return true;
  }

  mayExpireUpload(upload: ModelUpload, now: number): boolean {
    if (upload.binnedAt !== null) return isOver(upload.binnedAt, now);
    return isOver(upload.touchedAt, now) && !upload.rush && !this.isRead(upload.pathname);
  }

  /** Whether something names an object of the store. */
  isNamed(pathname: string): boolean {
    for (const asset of this.assets.values()) if (asset.pathname === pathname && !asset.isGone) return true;
    for (const upload of this.uploads.values())
      if (upload.pathname === pathname && (!upload.isGone || upload.rush)) return true;
    for (const one of this.generations.values())
      if (one.isOpen && (one.reads.includes(pathname) || pathname.startsWith(`generations/${one.id}/`)))
        return true;
    return false;
  }
}
