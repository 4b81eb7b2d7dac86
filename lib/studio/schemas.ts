import { z } from 'zod';
import type { ErrorCode } from '#lib/core/errors.ts';
import { idempotencyKey, optionalIdempotencyKey } from '#lib/core/input/idempotency-key.ts';
import { AssetType, ClosedBy, GenerationKind } from '#lib/db/generated/prisma/enums.ts';
import { purseSchema } from '#lib/ledger/reads/schemas.ts';
import { PROVENANCES } from '#lib/storage/media/provenance/provenances.ts';
import { DEV_SCENARIOS } from './dev-scenario.ts';
import { paramsSchema, referencesSchema } from './generation/params.ts';
import { DISPLAYED_STATUSES } from './generation/status-labels.ts';
import { CAPTION_FORMATS } from './speech/captions.ts';

/** What the Studio's routes take and answer: they are parsed and documented by these. */

const timestamp = z.iso.datetime().meta({ example: '2026-11-21T09:30:00.000Z' });
const usd = z.number().meta({ description: 'En dollars' });

/** A request body of the Studio, in bytes. */
export const MAX_STUDIO_REQUEST_BYTES = 256 * 1024;
/** Room for photographs that the browser has made smaller. */
export const MAX_TEMPLATE_PREVIEW_BYTES = 3 * 1024 * 1024;

export const generationPath = z.object({
  id: z.string().meta({ description: 'Identifiant de la génération' }),
});
export const captionsQuery = z.object({
  format: z.enum(CAPTION_FORMATS).default('srt').meta({ description: '`srt` ou `vtt`' }),
});
export const generationHeaders = z.object({ 'idempotency-key': optionalIdempotencyKey });
/** A program says which request is which: one that it sends again is paid once. */
export const requiredGenerationHeaders = z.object({ 'idempotency-key': idempotencyKey });

const fileSchema = z.object({
  url: z.string().meta({ description: 'Servie aux membres du compte seulement' }),
  pathname: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationMs: z.number().nullable(),
  provenance: z.enum(PROVENANCES).nullable().meta({
    description:
      'Ce que le fichier dit de son origine\u00a0: `manifest` (C2PA, tel que son auteur l’a signé), `mark` (IPTC\u00a0: fait par un modèle), `none`\u00a0; null avant que ce soit relevé',
  }),
  deletedAt: timestamp.nullable().meta({
    description:
      'Depuis quand ce fichier n’est plus servi alors que d’autres de la génération restent\u00a0; null s’il est là. Il garde sa place dans la liste',
  }),
});

export const generationSchema = z
  .object({
    id: z.string(),
    status: z.enum(DISPLAYED_STATUSES),
    label: z.string().meta({ description: 'Le statut, en français' }),
    kind: z.enum(GenerationKind),
    assetType: z.enum(AssetType),
    case: z.string().nullable(),
    productId: z.string(),
    memberId: z.string(),
    code: z.string().nullable().meta({ description: 'Code de l’échec' }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'Phrase à lire sur un échec, ou tant qu’un débit attend' }),
    params: paramsSchema.omit({ request: true, alignment: true }),
    references: referencesSchema,
    provider: z.string().nullable(),
    modelId: z.string().nullable(),
    providerJobId: z.string().nullable(),
    gatewayGenerationId: z.string().nullable(),
    chargePending: z.boolean(),
    heldUsd: usd.meta({ description: 'Montant retenu, en dollars' }),
    costUsd: usd
      .nullable()
      .meta({ description: 'Montant débité, en dollars\u00a0; null tant que rien ne l’est' }),
    charge: z.enum(['open', 'settled', 'refunded', 'none']),
    files: z.array(fileSchema),
    captions: z
      .object({ srt: z.string(), vtt: z.string() })
      .nullable()
      .meta({ description: 'Où télécharger les sous-titres d’une voix ou d’une synchronisation labiale' }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    submittedAt: timestamp.nullable(),
    closedAt: timestamp.nullable(),
    closedBy: z.enum(ClosedBy).nullable(),
    filesDeletedAt: timestamp.nullable(),
    relaunchOfId: z.string().nullable(),
    ancestorId: z.string().nullable(),
    canRelaunch: z.boolean(),
    pollUrl: z.string().meta({ description: 'Chemin à relire tant que la génération est en cours' }),
    traceId: z.string().nullable(),
  })
  .meta({ id: 'Generation' });

const LOCATION = { Location: 'Adresse où relire la génération' };
/** Of an answer to a key that was used before. */
export const replayedHeader = { 'Idempotent-Replayed': '`true`\u00a0: rien n’a été fait de nouveau' };

/** Of an answer with a generation that runs. */
export const readAfterHeader = { 'Retry-After': 'Secondes à attendre avant de relire la génération' };

const generated = (description: string, headers: Readonly<Record<string, string>> = {}) => ({
  description,
  schema: generationSchema,
  headers: { ...LOCATION, ...headers },
});

/** What a request of a generation answers, and how it can be refused. */
export const generationAnswers = {
  201: generated('La génération, livrée'),
  202: generated('La génération, en cours\u00a0: relire `pollUrl`', readAfterHeader),
  200: generated('La génération déjà demandée sous cette clé (`Idempotent-Replayed: true`)', replayedHeader),
};
/** Only a render is relaunched, and a render runs. */
export const relaunchAnswers = { 202: generationAnswers[202], 200: generationAnswers[200] };
export const generationErrors = [
  'not_found',
  'balance',
  'cap',
  'idempotency_conflict',
  'conflict',
  'quota_exceeded',
  'reference-refused',
  'voice-length',
  'voice-unverified',
  'composition-failed',
  'provider-failure',
  'setting-dropped',
  'not_configured',
  'composition-unavailable',
] as const satisfies readonly ErrorCode[];

/** A request to be played outside production: what goes wrong, beside the request itself. */
export const scenarioBody = z.looseObject({ scenario: z.enum(DEV_SCENARIOS).default('success') });

/** The journal in the shape of the lists of `/api/v1`. */
export const generationListSchema = z.object({
  object: z.literal('list'),
  data: z.array(generationSchema),
  nextCursor: z.string().nullable(),
});

export const journalSchema = z
  .object({ generations: z.array(generationSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'Journal' });

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  detail: z.string().optional(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  subject: z.string().optional(),
});

/** A request being composed: what `POST /api/generations` takes, perhaps unfinished. */
export const generationDraft = z
  .unknown()
  .meta({ description: 'Le corps d’une demande, même inachevée', override: { type: 'object' } });

export const previewSchema = z.union([
  z.object({
    prompt: z.string().nullable(),
    ignoredLayers: z.array(z.string()),
    case: z.string().nullable(),
    provider: z.string(),
    modelId: z.string(),
    fallbackModelId: z.string().nullable(),
    heldUsd: usd.meta({ description: 'Ce que toutes retiendraient' }),
    eachUsd: usd.meta({ description: 'Ce qu’une seule retiendrait' }),
    basis: z.string().nullable(),
    priceSource: z.string().nullable(),
    wallet: purseSchema,
    afterUsd: usd,
    refusal: z.object({ code: z.enum(['balance', 'cap']), message: z.string() }).nullable(),
    references: z.array(
      z.object({
        ref: z.string(),
        contentType: z.string().optional(),
        durationMs: z.number().optional(),
      }),
    ),
  }),
  z.object({ refused: refusal }).meta({ description: 'Ce que la demande répondrait' }),
]);

export const voiceDeskSchema = z
  .object({
    ready: z.boolean(),
    missing: z
      .union([z.array(z.enum(['providers', 'voice-key', 'default-voice', 'file-store'])), z.string()])
      .optional(),
    defaultVoiceId: z.string().nullable(),
    voices: z.array(z.looseObject({ id: z.string(), name: z.string() })),
    listError: z.string().optional(),
    errorDetail: z.object({ list: z.string() }).optional(),
    quota: z
      .object({
        used: z.int(),
        limit: z.int(),
        remaining: z.int(),
        isUncapped: z
          .boolean()
          .optional()
          .meta({ description: 'Au-delà de la limite, le fournisseur lit encore et facture à l’usage' }),
        resetsAt: timestamp.nullable(),
      })
      .nullable()
      .meta({ description: 'Caractères que le fournisseur accorde\u00a0; null quand il ne le dit pas' }),
    quotaError: z.string().optional(),
  })
  .meta({ id: 'VoiceDesk' });

export const voicePath = z.object({ voiceId: z.string().meta({ description: 'Identifiant de la voix' }) });

export const templatePath = z.object({ id: z.string().meta({ description: 'Identifiant du gabarit' }) });

const templateFields = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Les champs du gabarit, par leurs identifiants' });
const templateProduct = z
  .string()
  .max(60)
  .meta({ description: 'Le produit dont la charte est suivie, ou `libre`' });

export const templateCheckBody = z.strictObject({ fields: templateFields, productId: templateProduct });

export const templatePreviewBody = z.strictObject({
  fields: templateFields,
  size: z.string().max(20).meta({ description: 'Une taille du gabarit, par son identifiant' }),
  productId: templateProduct,
  page: z.int().min(0).max(50).optional().meta({ description: 'La page à montrer, à partir de 0' }),
});

export const templateCheckSchema = z
  .object({
    problems: z.array(
      z.object({
        field: z.string(),
        message: z.string(),
        start: z.int().optional(),
        end: z.int().optional(),
        excerpt: z.string().optional(),
      }),
    ),
    missing: z.array(z.string()),
    examples: z.array(z.string()),
    pages: z.int(),
  })
  .meta({ id: 'TemplateCheck' });

export const renderReceiptSchema = z.object({
  generationId: z.string(),
  status: z.enum(DISPLAYED_STATUSES),
  recorded: z.boolean(),
});

export const sweepReportSchema = z.object({
  settled: z.int(),
  reconciled: z.int(),
  errors: z.int(),
  videoSettled: z.int(),
  videoFailed: z.int(),
  videoTimeout: z.int(),
  videoPending: z.int(),
});

const fieldBase = z.object({
  id: z.string(),
  label: z.string(),
  kind: z.string(),
  required: z.boolean(),
  maxLength: z.int().optional(),
  minItems: z.int().optional(),
  example: z.union([z.string(), z.array(z.record(z.string(), z.string()))]).optional(),
  hint: z.string().optional(),
});

export const templateListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        fields: z.array(fieldBase.extend({ item: z.array(fieldBase).optional() })),
        sizes: z.array(z.object({ id: z.string(), label: z.string(), width: z.int(), height: z.int() })),
      }),
    ),
  })
  .meta({ id: 'Templates' });
