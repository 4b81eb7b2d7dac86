import { duration, usdThat } from '#app/_ui/format.ts';
import type { CaseId } from '#lib/providers/models/catalogue.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import {
  JOB_SWEEP_AFTER_MS,
  READ_AFTER_MS,
  RENDER_DEADLINE_MS,
  SETTLE_AFTER_MS,
} from '#lib/studio/limits.ts';
import { dollars, heldDollars } from './money-words.ts';

export type Kind = GenerationView['kind'];
type Row = Pick<
  GenerationView,
  | 'status'
  | 'charge'
  | 'heldUsd'
  | 'costUsd'
  | 'chargePending'
  | 'params'
  | 'kind'
  | 'createdAt'
  | 'submittedAt'
>;

/** The French names of the cases; a generation of an older version may have a case without one. */
export const CASE_LABELS: Readonly<Record<string, string>> = {
  'image-fast': 'Image rapide',
  'image-best': 'Image soignée',
  'image-light': 'Image légère',
  'image-flex': 'Image souple',
  'image-transparent': 'Fond transparent',
  'image-edit': 'Retouche au masque',
  'image-upscale': 'Agrandissement',
  vector: 'Pictogramme',
  voice: 'Voix',
  veo: 'Veo',
  'best-quality': 'Meilleure qualité',
  cinematic: 'Cinéma',
  'seedance-2': 'Seedance 2',
  'seedance-2-5': 'Seedance 2.5',
  omni: 'Omni',
  nova: 'Nova',
  replace: 'Remplacement',
  motion: 'Mouvement transféré',
  lipsync: 'Lèvres d’un clip',
  'lipsync-character': 'Personnage qui parle',
  render: 'Gabarit',
} satisfies Record<CaseId, string>;

/** Why a generation's model is not that of its case: which model was unavailable, and whether the other succeeded. */
export function fallbackWords({
  status,
  modelId,
  params,
}: Pick<GenerationView, 'status' | 'modelId' | 'params'>): string {
  const done = { done: 'Fait', running: 'Demandé' }[status as string] ?? 'Essayé sans succès';
  return `${done} par ${modelId} à la place du modèle ${params.fallback?.insteadOf}, indisponible`;
}

/** The cost of a generation in a few words: held, debited, pending or none. */
export function moneyWords(row: Row): string {
  if (row.chargePending) {
    const measured = row.params.pendingCostMicros;
    return measured === undefined
      ? 'débit en attente'
      : `${usdThat(BigInt(measured), 'mesuré')}, débit en attente`;
  }
  if (row.charge === 'settled' && row.costUsd !== null) return dollars(row.costUsd);
  if (row.status === 'running') return heldDollars(row.heldUsd);
  if (row.charge === 'open')
    return row.status === 'done' ? heldDollars(row.heldUsd) : 'non débité, remboursement en cours';
  return 'non débité';
}

const SYNCHRONOUS_BUDGET_MS: Partial<Record<Kind, number>> = {
  IMAGE: 120_000,
  VECTOR: 60_000,
  VOICE: 60_000,
};
const SWEEP_EVERY_MS = 300_000;

/** The first run of the sweep (every five minutes) at or after a time, in milliseconds. */
function sweepAfter(ms: number): number {
  return Math.ceil(ms / SWEEP_EVERY_MS) * SWEEP_EVERY_MS;
}

const left = (ms: number) => duration(Math.max(1000, ms));

/** What will close a running generation next, and when. */
export function nextCloser(row: Row, nowMs: number): string {
  const created = Date.parse(row.createdAt);
  const budget = SYNCHRONOUS_BUDGET_MS[row.kind];
  if (budget !== undefined)
    return nowMs < created + budget
      ? `réponse au plus tard dans ${left(created + budget - nowMs)}`
      : `relève automatique dans ${left(sweepAfter(Math.max(created + SETTLE_AFTER_MS, nowMs)) - nowMs)}`;
  if (row.kind === 'RENDER') {
    // From its dispatch; the times of a job count from its creation.
    const dispatched = row.submittedAt ? Date.parse(row.submittedAt) : created;
    return `clos par le service de rendu, au plus tard dans ${left(dispatched + RENDER_DEADLINE_MS - nowMs)}`;
  }
  const called = row.params.webhook ? 'clos par le fournisseur, sinon ' : '';
  if (nowMs < created + READ_AFTER_MS)
    return `${called}vérification dans ${left(created + READ_AFTER_MS - nowMs)}`;
  return `${called}relève automatique dans ${left(sweepAfter(Math.max(created + JOB_SWEEP_AFTER_MS, nowMs)) - nowMs)}`;
}
