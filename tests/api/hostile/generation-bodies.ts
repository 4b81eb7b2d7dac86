import type { PopulatedAccount } from '#tests/factories/populated-account.ts';

type Ref = string | { generationId: string };

/** One request for each place of a generation that names a file, `ref`; `own` is what the attacker may name beside it. */
function bodiesNaming(ref: Ref, own: { voice: string; file: string }): object[] {
  const asked = { productId: 'libre', brief: 'Une bougie' };
  const image = (rest: object) => ({ kind: 'image', ...asked, ...rest });
  const video = (rest: object) => ({ kind: 'video', ...asked, ...rest });
  const lipsync = (rest: object) => ({
    kind: 'lipsync',
    productId: 'libre',
    voiceGenerationId: own.voice,
    ...rest,
  });
  const testimonial = { quote: 'Une bougie', customer: 'Camille', portrait: ref };
  return [
    image({ references: [ref] }),
    image({ startImage: ref }),
    image({ case: 'image-edit', edit: { image: ref, mask: own.file } }),
    image({ case: 'image-edit', edit: { image: own.file, mask: ref } }),
    image({ case: 'image-upscale', references: [ref] }),
    image({ composition: { product: ref, mask: own.file } }),
    image({ composition: { product: own.file, mask: ref } }),
    video({ case: 'veo', durationSeconds: 4, aspectRatio: '16:9', resolution: '720p', startImage: ref }),
    video({ case: 'veo', durationSeconds: 4, startImage: own.file, endImage: ref }),
    video({ case: 'veo', durationSeconds: 8, characters: [ref] }),
    video({ case: 'replace', clips: [ref], characters: [own.file] }),
    lipsync({ clip: ref }),
    lipsync({ character: ref }),
    { kind: 'render', productId: 'libre', template: 'testimonial', size: '1080x1080', fields: testimonial },
  ];
}

/** Requests for a generation that name a row of this kind; `own` is what the attacker may name. */
export function generationsWith(kind: string, value: string, own: PopulatedAccount): object[] {
  const prompt = { kind: 'image', productId: 'libre', brief: 'Une bougie' };
  const mine = { voice: own.ids.generation?.[3] as string, file: own.ids.asset?.[0] as string };
  const consent = { personName: 'A', signedAt: '2026-01-01', document: value };
  const voice = { kind: 'voice', productId: 'libre', text: 'Bonjour', consent };
  switch (kind) {
    case 'space':
      return [{ ...prompt, spaceId: value }];
    case 'product':
      return [{ ...prompt, productId: value }];
    case 'generation':
      return [
        { ...prompt, ancestorId: value },
        { kind: 'lipsync', productId: 'libre', voiceGenerationId: value, character: mine.file },
        ...bodiesNaming({ generationId: value }, mine),
      ];
    case 'pathname': {
      const startImage = `https://local.private.blob.vercel-storage.com/${value}`;
      return [...bodiesNaming(value, mine), { ...prompt, startImage }, voice];
    }
    case 'asset':
    case 'avatar':
    case 'upload':
      return [...bodiesNaming(value, mine), { ...voice, voiceId: 'Camille0Recorded0001' }];
    default:
      return [];
  }
}
