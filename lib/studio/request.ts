import { z } from 'zod';
import { storableDay } from '#lib/core/input/storable-instant.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import { IMAGE_CASES, VIDEO_CASES } from '#lib/providers/models/catalogue.ts';
import { journalRef, withJournalRefs } from './journal-ref.ts';

const MAX_BRIEF = 8_000;
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max, { abort: true })
    .refine(...atMostUnits(max));
/** What the documents say of a field. */
const says = (description: string) => ({ description });
/** What a form says under a field where something else than a number was typed; a bound has its own sentence. */
const orSay = (sentence: string) => ({
  error: ({ code }: { code: string }) => (code === 'invalid_type' ? sentence : undefined),
});
/** A file of the journal, by its row and its place among that row's files. */
const journalFile = z
  .strictObject({
    generationId: z.string().max(40).meta(says('La génération du journal dont c’est un fichier')),
    file: z.int().min(0).max(99).default(0).meta(says('Lequel de ses fichiers, à partir de 0')),
  })
  .transform(({ generationId, file }) => journalRef(generationId, file));
/** An address, an identifier or a pathname of ours, or a file of the journal. */
const ref = z.union([z.string().trim().min(1).max(4_096), journalFile]);
const REF =
  'l’adresse https d’un hôte que le produit permet, un fichier du compte par son identifiant ou son chemin, ou `{generationId, file}` du journal';

const NO_DOCUMENT =
  'Joignez le consentement signé\u00a0: un PDF, ou une image PNG, JPEG ou WebP du document.';

/** Layers that a cockpit may send and the server ignores: accepted, recorded, never used. */
const layer = z.unknown().optional().meta(says('Accepté et sans effet'));
const ignored = { system: layer, rules: layer, connectors: layer };
const common = {
  productId: z.string().max(60).default('libre').meta(says('Le produit du registre, ou `libre`')),
  ancestorId: z
    .string()
    .max(40)
    .optional()
    .meta(says('La génération dont celle-ci est une variation, par son identifiant')),
};
const prompted = {
  ...common,
  ...ignored,
  brief: text(MAX_BRIEF).meta(says('Ce que le fichier doit montrer')),
  skills: z
    .array(z.string().max(60))
    .max(20)
    .optional()
    .meta(says('Manières de faire ajoutées au brief, par identifiant\u00a0; une inconnue est sans effet')),
  spaceId: z
    .string()
    .max(40)
    .optional()
    .meta(
      says('L’espace dont le contexte se joint à la demande\u00a0: coûte une lecture, demande `brain:read`'),
    ),
};

const imageRequest = z.strictObject({
  kind: z.literal('image').meta(says('Une image')),
  ...prompted,
  case: z
    .enum(IMAGE_CASES)
    .default('image-fast')
    .meta(says('Rapide ou soignée, sur fond transparent, retouchée (`edit`) ou agrandie (`scale`)')),
  aspectRatio: z
    .string()
    .max(8)
    .optional()
    .meta(says('Par exemple `16:9`\u00a0; par défaut celui du produit d’une composition, ou `1:1`')),
  references: z
    .array(ref)
    .max(20)
    .optional()
    .meta(says(`Images dont s’inspirer\u00a0; chacune est ${REF}`)),
  startImage: ref.optional().meta(says(`L’image d’où partir\u00a0: ${REF}`)),
  seed: z
    .int(orSay('Il faut un nombre entier.'))
    .min(0)
    .max(2_147_483_647)
    .optional()
    .meta(says('Graine du hasard, où le modèle en prend une')),
  composition: z
    .strictObject({
      product: ref.meta(says(`La photographie du produit\u00a0: ${REF}`)),
      mask: ref.meta(says('Son masque, de la même taille')),
    })
    .optional()
    .meta(says('Garde l’image d’un produit, au pixel près, hors d’un masque')),
  edit: z
    .strictObject({
      image: ref.meta(says(`L’image à retoucher\u00a0: ${REF}`)),
      mask: ref.meta(says('Son masque, blanc où elle est refaite')),
    })
    .optional()
    .meta(says('Pour `image-edit`\u00a0: l’image, et où la refaire')),
  scale: z
    .int()
    .min(2)
    .max(8)
    .optional()
    .meta(
      says('Pour `image-upscale`\u00a0: combien de fois plus large et plus haute\u00a0; par défaut deux'),
    ),
});

const vectorRequest = z.strictObject({
  kind: z.literal('vector').meta(says('Un pictogramme, en SVG')),
  ...prompted,
  case: z.literal('vector').default('vector').meta(says('Le seul cas')),
});

const setting = () => z.number(orSay('Il faut un nombre.'));

const voiceRequest = z.strictObject({
  kind: z.literal('voice').meta(says('Une voix')),
  ...common,
  ...ignored,
  case: z.literal('voice').default('voice').meta(says('Le seul cas')),
  text: z.string().meta(says('Ce que la voix dit')),
  voiceId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Cet identifiant de voix n’est pas valide.')
    .optional()
    .meta(says('La voix, par son identifiant\u00a0; par défaut celle que l’installation règle')),
  stability: setting().min(0).max(1).optional().meta(says('Stabilité de la voix')),
  similarityBoost: setting().min(0).max(1).optional().meta(says('Ressemblance à la voix d’origine')),
  speed: setting()
    .min(0.7)
    .max(1.2)
    .optional()
    .meta(says('Vitesse, de 0,7 à 1,2\u00a0; 1 est celle de la voix')),
  consent: z
    .strictObject({
      personName: text(120).meta(says('La personne dont c’est la voix')),
      signedAt: storableDay.meta(says('Le jour où elle a signé, `2026-11-21`')),
      document: z
        .string(NO_DOCUMENT)
        .trim()
        .min(1, NO_DOCUMENT)
        .max(64, NO_DOCUMENT)
        .meta(says('Le document signé\u00a0: l’identifiant d’un envoi, PDF ou image')),
    })
    .optional()
    .meta(says('Le consentement signé de la personne dont c’est la voix')),
});

const videoRequest = z.strictObject({
  kind: z.literal('video').meta(says('Une vidéo')),
  ...prompted,
  case: z.enum(VIDEO_CASES).meta(says('Le modèle de vidéo')),
  durationSeconds: z.number().optional().meta(says('Durée, en secondes, parmi celles du modèle')),
  aspectRatio: z.string().max(8).optional().meta(says('Format, parmi ceux du modèle, par exemple `16:9`')),
  resolution: z
    .string()
    .max(8)
    .optional()
    .meta(says('Définition, parmi celles du modèle, par exemple `720p`')),
  generateAudio: z.boolean().optional().meta(says('Avec un son, où le modèle en fait un')),
  startImage: ref.optional().meta(says(`La première image\u00a0: ${REF}`)),
  endImage: ref.optional().meta(says('La dernière image\u00a0; demande une première image')),
  characters: z
    .array(ref)
    .max(20)
    .optional()
    .meta(says(`Personnages\u00a0; chacun est ${REF}`)),
  clips: z
    .array(ref)
    .max(20)
    .optional()
    .meta(says(`Clips de référence\u00a0; chacun est ${REF}`)),
});

const lipsyncRequest = z.strictObject({
  kind: z.literal('lipsync').meta(says('Une synchronisation labiale')),
  ...common,
  ...ignored,
  case: z
    .enum(['lipsync', 'lipsync-character'])
    .optional()
    .meta(says('Un clip, ou un personnage (`lipsync-character`)\u00a0; par défaut celui qui est donné')),
  voiceGenerationId: z.string().max(40).meta(says('La voix du journal qui est dite, par son identifiant')),
  clip: ref.optional().meta(says(`Le clip qui la dit\u00a0: ${REF}`)),
  character: ref.optional().meta(says(`Le personnage qui la dit, à la place d’un clip\u00a0: ${REF}`)),
});

const renderRequest = z.strictObject({
  kind: z.literal('render').meta(says('Un rendu de gabarit')),
  ...common,
  ...ignored,
  case: z.literal('render').default('render').meta(says('Le seul cas')),
  template: text(60).meta(says('Le gabarit, par son identifiant')),
  size: text(20).meta(says('Une de ses tailles, par son identifiant')),
  fields: z
    .record(z.string().max(60), z.unknown())
    .transform((fields) => withJournalRefs(fields) as Record<string, unknown>)
    .meta(says('Ses champs, par leurs identifiants')),
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
