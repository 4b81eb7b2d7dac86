import type { AssetState } from '#lib/db/generated/tables.ts';

/** What can be said of a file. */
export const FILE_STATES = [
  'GENERATED',
  'REJECTED',
  'APPROVED',
  'DELIVERED',
] as const satisfies readonly AssetState[];

/** What quality control can decide, and the state each decision leads to. */
export const REVIEWS = { approve: 'APPROVED', reject: 'REJECTED', deliver: 'DELIVERED' } as const;
export type Review = keyof typeof REVIEWS;

/** States in which quality control lets a file pass: it is kept, and keeps its relatives. */
export const PASSED_STATES = ['APPROVED', 'DELIVERED'] as const satisfies readonly AssetState[];
/** The others: age decides. The partial indexes of the migrations are over these two pairs. */
export const UNPASSED_STATES = ['GENERATED', 'REJECTED'] as const satisfies readonly AssetState[];

/** The only changes of state of a file. A delivered file is final: somebody outside has it. */
const MOVES: Record<AssetState, readonly AssetState[]> = {
  GENERATED: ['APPROVED', 'REJECTED'],
  REJECTED: ['APPROVED'],
  APPROVED: ['REJECTED', 'DELIVERED'],
  DELIVERED: [],
};

/** Whether quality control may decide this about a file in this state. */
export function canReview(from: AssetState, review: Review): boolean {
  return MOVES[from].includes(REVIEWS[review]);
}

/** The decisions that a file in this state can receive, for the buttons that show. */
export function reviewsOf(state: AssetState): Review[] {
  return (Object.keys(REVIEWS) as Review[]).filter((review) => canReview(state, review));
}
