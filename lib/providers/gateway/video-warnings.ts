import { BILLED_SETTINGS, type DroppedSettings, type ProviderWarning } from '../ports.ts';

const END_FRAME = /last[_ ]?frame|end[_ ]?(frame|image)|image[_ ]?tail/i;

/**
 * Reads « unsupported » warnings: which billed settings were dropped, and whether the end image was.
 * A warning on `frameImages` that does not speak of the last frame concerns the start image, which is not billed.
 */
export function droppedSettings(warnings: ProviderWarning[]): DroppedSettings {
  const unsupported = warnings.filter(({ type }) => type === 'unsupported');
  const dropped = unsupported.flatMap(({ feature }) =>
    BILLED_SETTINGS.filter((billed) => billed === feature),
  );
  return {
    warnings,
    dropped: [...new Set(dropped)],
    endFrameDropped: unsupported.some(({ feature = '', details = '' }) =>
      END_FRAME.test(`${feature} ${details}`),
    ),
  };
}
