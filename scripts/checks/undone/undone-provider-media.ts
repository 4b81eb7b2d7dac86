import type { UndoneFix } from './undone-fixes.ts';

const RULES = 'tests/integration/studio/provider-rules.test.ts';
const RETOUCH = 'tests/integration/studio/retouch.test.ts';
const MEDIA = 'lib/studio/references/check-media.ts';
const MEDIA_TEST = 'tests/unit/studio/references/check-media.test.ts';

/** One fault of an adapter: the build that it was found in and what went wrong, the text to take out, the test that shows it. */
export const providerFix = (
  [build, exploit]: [string, string],
  [file, find, replace]: [string, string, string],
  [test, name]: [string, string],
): UndoneFix => ({ exploit: `Providers: ${build} ${exploit}`, file, find, replace, test, name });

/** Those of pictures and clips: what their makers read, and what came back. */
export const UNDONE_PROVIDER_MEDIA: readonly UndoneFix[] = [
  providerFix(
    ['19.10', 'a mask goes as it was given'],
    ['lib/studio/retouch/prepare-edit.ts', 'await blackAndWhite(mask.bytes, sent, owner)', 'mask.bytes'],
    [
      RETOUCH,
      'is asked with a mask of its very size, black and white; priced, settled, marked as a composite',
    ],
  ),
  providerFix(
    ['19.10', 'an image that was not made larger is delivered'],
    [
      'lib/studio/retouch/prepare-upscale.ts',
      'near(width, size.width) && near(height, size.height)',
      'width + height > 0',
    ],
    [RETOUCH, 'that comes back at its old size is a dropped setting: refunded, and the loss is audited'],
  ),
  providerFix(
    ['19.11', 'a picture that its maker does not read is sent'],
    [MEDIA, 'if (short < minSide)', 'if (short < 0)'],
    [RULES, 'is refused with its pixels before anything is held'],
  ),
  providerFix(
    ['19.11', 'a clip of another type is sent'],
    [
      MEDIA,
      'if (!types || types.includes(contentType)) return null;',
      "if (types?.at(0) !== '') return null;",
    ],
    [RULES, '%s: %s is refused as a clip that its maker does not read, and nothing is sent'],
  ),
  providerFix(
    ['19.11', 'a clip of too few images a second is sent'],
    [MEDIA, 'rounded >= least && rounded <= most', 'rounded >= 0 && least <= most'],
    [MEDIA_TEST, '%s is refused'],
  ),
  providerFix(
    ['19.11', 'a clip of more pixels than Seedance reads is sent'],
    [MEDIA, 'if (width * height > maxPixels)', 'if (maxPixels < 0)'],
    [MEDIA_TEST, '%s is refused'],
  ),
  providerFix(
    ['19.11', 'a WebP or a GIF goes to Kling and Veo as it is'],
    [MEDIA, '(!types || types.includes(contentType)) &&', "(!types || contentType !== '') &&"],
    [RULES, '%s reads JPEG and PNG: a %s is sent as a JPEG'],
  ),
  providerFix(
    ['19.11', 'a picture wider than Seedance reads is sent as it is'],
    [MEDIA, 'Math.max(width, height) <= maxSide', 'Math.min(width, height) <= maxSide'],
    [RULES, 'a picture wider than Seedance reads is sent smaller, however light'],
  ),
  providerFix(
    ['19.11', 'a film without what its maker left out is delivered'],
    [
      'lib/providers/gateway/video-warnings.ts',
      "isLeftOut(warning) ? ['references']",
      "warning.type === '' ? ['references']",
    ],
    ['tests/integration/studio/jobs/video-failures.test.ts', '« %s » ends as'],
  ),
  providerFix(
    ['19.11', 'an image without what its maker left out is delivered'],
    ['lib/studio/kinds/image.ts', 'if (result.referencesLeftOut)', 'if (result.images.length === 0)'],
    [RULES, 'it is not delivered: refunded, and the loss is audited'],
  ),
];
