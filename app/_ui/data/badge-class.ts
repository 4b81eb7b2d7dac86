export type Tone = 'run' | 'ok' | 'fail' | 'warn' | 'mute' | 'accent';

const TONES: Record<Tone, string> = {
  run: 'bg-run-soft text-run',
  ok: 'bg-ok-soft text-ok',
  fail: 'bg-fail-soft text-fail',
  warn: 'bg-warn-soft text-warn',
  mute: 'bg-mute-soft text-mute',
  accent: 'bg-accent-soft text-accent-ink',
};

/**
 * Classes of a badge, for an element that holds nothing but a short word, never cut: what may be long is a `Badge`. Apart from it: a
 * client component that wants the look alone does not bring the icons of the statuses.
 */
export function badgeClass(tone: Tone = 'mute'): string {
  return `badge ${TONES[tone]}`;
}
