import fc from 'fast-check';

/** One thing that happens; the numbers pick what it happens to, so that a history stays one when a step is taken out. */
export type Step = { does: (typeof EVENTS)[number]; a: number; b: number; c: number };

const EVENTS = [
  'generate',
  'generate',
  'render',
  'variant',
  'variant',
  'import',
  'start',
  'finish',
  'approve',
  'reject',
  'deliver',
  'save-avatar',
  'delete-avatar',
  'create-concept',
  'attach',
  'detach',
  'delete-concept',
  'add-lesson',
  'delete-lesson',
  'upload',
  'touch',
  'keep-rush',
  'release-rush',
  'orphan',
  'change-bytes',
  'delete-files',
  'delete-files',
  'restore-files',
  'restore-avatar',
  'restore-concept',
  'delete-upload',
  'restore-upload',
  'erase-files',
  'clock-forward',
  'clock-forward',
  'clock-back',
  'pass',
  'pass',
  'pass',
  'pass-cut',
  'pass-cut',
  'pass-cut',
  'pass-failing',
  'pass-short',
  'pass-stale',
  'pass-crowded',
] as const;

const pick = fc.nat({ max: 997 });

/** Histories of 25 to 70 steps, after which calm nights settle everything. */
export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ does: fc.constantFrom(...EVENTS), a: pick, b: pick, c: pick }),
  { minLength: 25, maxLength: 70, size: 'max' },
);
