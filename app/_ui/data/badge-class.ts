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
 * Classes of a badge, for an element that holds a short word, which is never truncated; use `Badge` for text that may be long. In a file of its own,
 * so that a client component that needs the classes does not load the icons of the statuses.
 */
export function badgeClass(tone: Tone = 'mute'): string {
  return `badge ${TONES[tone]}`;
}
