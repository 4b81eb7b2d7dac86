import { z } from 'zod';
import { IMAGE_CASES, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import { journalRef, withJournalRefs } from './journal-ref.ts';

const MAX_BRIEF = 8_000;
const text = (max: number) => z.string().trim().min(1).max(max);
/** A file of the journal, by its row and its place among that row's files. */
const journalFile = z
  .strictObject({ generationId: z.string().max(40), file: z.int().min(0).max(99).default(0) })
  .transform(({ generationId, file }) => journalRef(generationId, file));
/** An address, an identifier or a pathname of ours, or a file of the journal. */
const ref = z.union([z.string().trim().min(1).max(4_096), journalFile]);

const NO_DOCUMENT =
  'Joignez le consentement signé\u00a0: un PDF, ou une image PNG, JPEG ou WebP du document.';

/** Layers that a cockpit may send and the server ignores: accepted, recorded, never used. */
const ignored = {
  system: z.unknown().optional(),
  rules: z.unknown().optional(),
  connectors: z.unknown().optional(),
};
const common = {
  /** A product of the registry, or `libre`. */
  productId: z.string().max(60).default('libre'),
  /** The generation whose file this one varies. */
  ancestorId: z.string().max(40).optional(),
};
const prompted = {
  ...common,
  ...ignored,
  brief: text(MAX_BRIEF),
  skills: z.array(z.string().max(60)).max(20).optional(),
  /** A Space whose context joins the prompt. */
  spaceId: z.string().max(40).optional(),
};

const imageRequest = z.strictObject({
  kind: z.literal('image'),
  ...prompted,
  case: z.enum(IMAGE_CASES).default('image-fast'),
  /** Left out: the product's in a composition, else 1:1. */
  aspectRatio: z.string().max(8).optional(),
  references: z.array(ref).max(20).optional(),
  startImage: ref.optional(),
  seed: z.int().min(0).max(2_147_483_647).optional(),
  /** Keeps a product's picture pixel for pixel outside a mask. */
  composition: z.strictObject({ product: ref, mask: ref }).optional(),
  /** `image-edit`: a picture, and a mask that is white where it is drawn again. */
  edit: z.strictObject({ image: ref, mask: ref }).optional(),
  /** `image-upscale`: how many times wider and taller. Left out: twice. */
  scale: z.int().min(2).max(8).optional(),
});

const vectorRequest = z.strictObject({
  kind: z.literal('vector'),
  ...prompted,
  case: z.literal('vector').default('vector'),
});

const voiceRequest = z.strictObject({
  kind: z.literal('voice'),
  ...common,
  ...ignored,
  case: z.literal('voice').default('voice'),
  text: z.string(),
  voiceId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Cet identifiant de voix n’est pas valide.')
    .optional(),
  stability: z.number().min(0).max(1).optional(),
  similarityBoost: z.number().min(0).max(1).optional(),
  speed: z.number().min(0.7).max(1.2).optional(),
  /** Signed consent of the person whose voice it is. */
  consent: z
    .strictObject({
      personName: text(120),
      signedAt: z.iso.date(),
      /** The signed document: the identifier of an upload, a PDF or an image. */
      document: z.string(NO_DOCUMENT).trim().min(1, NO_DOCUMENT).max(64, NO_DOCUMENT),
    })
    .optional(),
});

const videoRequest = z.strictObject({
  kind: z.literal('video'),
  ...prompted,
  case: z.enum(VIDEO_CASES),
  durationSeconds: z.number().optional(),
  aspectRatio: z.string().max(8).optional(),
  resolution: z.string().max(8).optional(),
  generateAudio: z.boolean().optional(),
  startImage: ref.optional(),
  endImage: ref.optional(),
  characters: z.array(ref).max(20).optional(),
  clips: z.array(ref).max(20).optional(),
});

const lipsyncRequest = z.strictObject({
  kind: z.literal('lipsync'),
  ...common,
  ...ignored,
  case: z.enum(['lipsync', 'lipsync-character']).optional(),
  /** A voice of the journal. */
  voiceGenerationId: z.string().max(40),
  clip: ref.optional(),
  character: ref.optional(),
});

const renderRequest = z.strictObject({
  kind: z.literal('render'),
  ...common,
  ...ignored,
  case: z.literal('render').default('render'),
  template: text(60),
  size: text(20),
  fields: z
    .record(z.string().max(60), z.unknown())
    .transform((fields) => withJournalRefs(fields) as Record<string, unknown>),
});

/** Body of `POST /api/generations`. Unknown fields are refused by name. */
export const generationRequest = z.discriminatedUnion('kind', [
  imageRequest,
  vectorRequest,
  voiceRequest,
  videoRequest,
  lipsyncRequest,
  renderRequest,
]);

export type GenerationRequest = z.output<typeof generationRequest>;
export type RequestOf<K extends GenerationRequest['kind']> = Extract<GenerationRequest, { kind: K }>;
