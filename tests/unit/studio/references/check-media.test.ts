import { expect, it } from 'vitest';
import { MODELS } from '#lib/providers/models/catalogue.ts';
import { isReadAsIs, mediaProblem } from '#lib/studio/references/check-media.ts';

const kling = MODELS.cinematic.references?.['start-image']?.media;
const motion = MODELS.motion.references?.clip?.media;
const seedance = MODELS['seedance-2'].references;
const ofSeedance = { image: seedance?.character?.media, clip: seedance?.clip?.media };

const image = (width: number, height: number, contentType = 'image/png') => ({ contentType, width, height });
const film = (width: number, height: number, framesPerSecond = 25) => ({
  contentType: 'video/mp4',
  width,
  height,
  framesPerSecond,
});

it.each([
  ['an image at the least of Kling', 'image', image(300, 750), kling],
  ['an image of another type, which is sent as a JPEG', 'image', image(640, 480, 'image/webp'), kling],
  [
    'an image larger than Seedance reads, which is sent smaller',
    'image',
    image(9_000, 5_000),
    ofSeedance.image,
  ],
  ['a clip at the most of motion control', 'clip', film(3_850, 340), motion],
  ['a clip at the least of Seedance', 'clip', film(640, 640, 24), ofSeedance.clip],
  ['a clip in 4K for Seedance', 'clip', film(3_840, 2_160), ofSeedance.clip],
  ['a film of 23.976 images a second, called 24', 'clip', film(1_280, 720, 23.976), ofSeedance.clip],
  [
    'a clip whose rate is not known',
    'clip',
    { ...film(1_280, 720), framesPerSecond: undefined },
    ofSeedance.clip,
  ],
  ['whatever no page speaks of', 'image', image(1, 9_000), undefined],
] as const)('%s is taken', (_, as, file, rule) => {
  expect(mediaProblem(as, file, rule)).toBeNull();
});

it.each([
  ['an image below Kling’s least side', 'image', image(299, 400), kling, 'pixels'],
  ['an image longer than Kling reads', 'image', image(300, 751), kling, 'proportions'],
  ['a clip wider than motion control reads', 'clip', film(3_851, 2_000), motion, 'pixels'],
  [
    'a clip of another type',
    'clip',
    { ...film(1_280, 720), contentType: 'video/webm' },
    motion,
    'type-not-accepted',
  ],
  ['a clip of too few pixels for Seedance', 'clip', film(640, 639), ofSeedance.clip, 'pixels'],
  ['a clip of too many pixels for Seedance', 'clip', film(4_096, 2_160, 24), ofSeedance.clip, 'pixels'],
  ['a clip of too few images a second', 'clip', film(1_280, 720, 23.4), ofSeedance.clip, 'frame-rate'],
  ['a clip of too many', 'clip', film(1_280, 720, 120), ofSeedance.clip, 'frame-rate'],
] as const)('%s is refused', (_, as, file, rule, detail) => {
  const problem = mediaProblem(as, file, rule);
  expect(problem).toEqual({ detail, message: expect.stringMatching(/ce modèle (?:en )?(?:lit|demande)/i) });
});

it('a picture goes as it is when the model reads its type and its size; without a rule, always', () => {
  expect(isReadAsIs(image(640, 480, 'image/jpeg'), kling)).toBe(true);
  expect(isReadAsIs(image(640, 480, 'image/gif'), kling)).toBe(false);
  expect(isReadAsIs(image(6_000, 4_000), ofSeedance.image)).toBe(true);
  expect(isReadAsIs(image(6_001, 4_000), ofSeedance.image)).toBe(false);
  expect(isReadAsIs(image(640, 480, 'image/gif'))).toBe(true);
});
