import type { DroppedSetting } from '#lib/providers/ports.ts';

/** The settings that a row records, as a request names them. */
export type Setting =
  | 'aspectRatio'
  | 'background'
  | 'seed'
  | 'scale'
  | 'durationSeconds'
  | 'resolution'
  | 'generateAudio'
  | 'voiceId'
  | 'stability'
  | 'similarityBoost'
  | 'speed'
  | 'pronunciations';

/** What a file or a provider's answer can differ in from what was asked; `format` is a sound's, `size` an enlarged image's, `viewBox` a pictogram's shape, `references` a film's. */
export type MissedSetting = Setting | DroppedSetting | 'format' | 'size' | 'viewBox';

/** Settings worth showing, without those that were not given. */
export function settingsOf(
  settings: Partial<Record<Setting, string | number | boolean | undefined>>,
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== undefined,
    ),
  );
}
