import { CircleCheck, CircleX, Flag, PackageCheck } from 'lucide';
import type { Tone } from '#app/_ui/data/badge.tsx';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import { FILE_STATE_LABELS } from '#lib/messages/storage.ts';
import type { GenerationFile } from '#lib/storage/assets/read-generation-files.ts';
import type { JournalReview } from '#lib/studio/journal/list-generations.ts';

type State = GenerationFile['state'];
export type ReviewWords = { label: string; tone: Tone; icon: IconDrawing; tip: string | null };

const LOOKS: Record<State, { tone: Tone; icon: IconDrawing }> = {
  GENERATED: { tone: 'warn', icon: Flag },
  APPROVED: { tone: 'ok', icon: CircleCheck },
  REJECTED: { tone: 'fail', icon: CircleX },
  DELIVERED: { tone: 'accent', icon: PackageCheck },
};

/** What quality control says of the files of a row: one word when they agree, else what is left to judge, else how many passed. */
export function reviewWords(
  files: readonly { state: State; reviewReason: string | null }[],
): ReviewWords | null {
  const [first] = files;
  if (!first) return null;
  const waiting = files.filter(({ state }) => state === 'GENERATED').length;
  const reasons = [...new Set(files.flatMap(({ reviewReason }) => reviewReason ?? []))];
  const tip = reasons.length > 0 ? reasons.join('\n') : null;
  if (files.every(({ state }) => state === first.state))
    return { label: FILE_STATE_LABELS[first.state], ...LOOKS[first.state], tip };
  if (waiting > 0) return { label: `${waiting} à vérifier sur ${files.length}`, ...LOOKS.GENERATED, tip };
  const passed = files.filter(({ state }) => state !== 'REJECTED').length;
  return { label: `${passed} sur ${files.length} gardé${passed > 1 ? 's' : ''}`, ...LOOKS.APPROVED, tip };
}

/** The state of the files that a filter lists. */
export const STATE_OF = {
  'to-review': 'GENERATED',
  approved: 'APPROVED',
  rejected: 'REJECTED',
  delivered: 'DELIVERED',
} as const satisfies Record<JournalReview, State>;

/** Whether a row still answers the filter: what was just decided leaves the queue. Before its files are known, the server's word holds. */
export function answersReview(
  review: JournalReview | undefined,
  files: readonly { state: State }[],
): boolean {
  return !review || files.length === 0 || files.some(({ state }) => state === STATE_OF[review]);
}
