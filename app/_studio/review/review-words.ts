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

/** The decisions on the files of a generation: one word if all agree, else how many are left to judge, else how many are kept. */
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

/** The file state that each filter lists. */
export const STATE_OF = {
  'to-review': 'GENERATED',
  approved: 'APPROVED',
  rejected: 'REJECTED',
  delivered: 'DELIVERED',
} as const satisfies Record<JournalReview, State>;

/** Whether a generation still matches the filter, so that a judged one leaves the queue. Until its files are read, the server's list is trusted. */
export function answersReview(
  review: JournalReview | undefined,
  files: readonly { state: State }[],
): boolean {
  return !review || files.length === 0 || files.some(({ state }) => state === STATE_OF[review]);
}
