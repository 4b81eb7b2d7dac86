import {
  BILLED_SETTINGS,
  type DroppedSetting,
  type DroppedSettings,
  type ProviderWarning,
} from '../ports.ts';

const END_FRAME = /last[_ ]?frame|end[_ ]?(frame|image)|image[_ ]?tail/i;

/** Where a request has its references, by the names of @ai-sdk/gateway and of its makers' libraries. */
const REFERENCES = /^(?:image|frameImages|inputReferences|URL-based image input)$/i;
/** A reference may be told of and still be read, in its maker's own way. */
const WITHOUT_IT = /ignored|skipped|dropped|not (?:yet )?support/i;
/** Where the request of an image has its pictures. */
const PICTURES = /^(?:files|mask)$/i;

/**
 * Reads « unsupported » warnings: which billed settings were dropped, whether a reference was left out, and whether the end image was.
 * A warning on `frameImages` that does not speak of the last frame concerns the start image.
 */
export function droppedSettings(warnings: ProviderWarning[]): DroppedSettings {
  const unsupported = warnings.filter(({ type }) => type === 'unsupported');
  const dropped = unsupported.flatMap((warning): DroppedSetting[] =>
    isLeftOut(warning) ? ['references'] : BILLED_SETTINGS.filter((billed) => billed === warning.feature),
  );
  return {
    warnings,
    dropped: [...new Set(dropped)],
    endFrameDropped: unsupported.some(({ feature = '', details = '' }) =>
      END_FRAME.test(`${feature} ${details}`),
    ),
  };
}

/** Whether an image was made without a picture or a mask that was sent for it: « unsupported » says so, where its details do not say how it was read. */
export function leavesOutPictures(warnings: ProviderWarning[]): boolean {
  return warnings.some(
    ({ type, feature = '', details = '' }) =>
      type === 'unsupported' && PICTURES.test(feature) && (details === '' || WITHOUT_IT.test(details)),
  );
}

function isLeftOut({ feature = '', details = '' }: ProviderWarning): boolean {
  return REFERENCES.test(feature) && WITHOUT_IT.test(details) && !END_FRAME.test(details);
}
