import { plural } from './plural.ts';

/** When to come back after a wait, never sooner than it is over: « dans 12 minutes », past an hour and a half « dans 5 heures ». */
export function waitWords(waitSeconds: number): string {
  const minutes = Math.ceil(waitSeconds / 60);
  return minutes > 90
    ? `dans ${Math.ceil(minutes / 60)} heures`
    : `dans ${minutes} ${plural(minutes, 'minute')}`;
}
