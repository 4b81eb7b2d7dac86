import { z } from 'zod';
import { isStorable } from '#lib/core/input/storable-text.ts';

/** Answers of the AI Gateway, read leniently: needed fields must be valid, the others are ignored. */

/** A name of theirs that a row keeps. */
const identifier = z.string().min(1).max(500).refine(isStorable);
/** The bytes say what a file is; this is a hint. */
const mediaType = z.string().optional().catch(undefined);
const count = z.number().nonnegative();

export const warningSchema = z.object({
  type: z.string(),
  feature: z.string().optional(),
  setting: z.string().optional(),
  details: z.string().optional(),
  message: z.string().optional(),
});

const attempts = z
  .array(
    z
      .object({
        credentialType: z.string().optional().catch(undefined),
        success: z.boolean().optional().catch(undefined),
      })
      .catch({}),
  )
  .catch([]);

/** Whose key served the request: each attempt under its model, or all in one list, as older answers have them. */
const routingSchema = z.object({
  attempts: attempts.optional(),
  modelAttempts: z
    .array(z.object({ providerAttempts: attempts.optional() }).catch({}))
    .optional()
    .catch(undefined),
});

export type GatewayRoute = z.output<typeof routingSchema>;

export const gatewayMetadataSchema = z.object({
  providerMetadata: z
    .object({
      gateway: z
        .object({
          generationId: identifier.optional().catch(undefined),
          cost: z.union([z.string(), z.number()]).optional().catch(undefined),
          routing: routingSchema.optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export const imageAnswerSchema = z.object({
  /** One is asked: what stands beside it is not read. */
  images: z.tuple([z.string().min(1)], z.unknown()),
  usage: z.object({ inputTokens: count.nullish(), outputTokens: count.nullish() }).nullish().catch(undefined),
});

const tokenCount = z.union([count.transform((total) => ({ total })), z.object({ total: count.nullish() })]);

export const textAnswerSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional().catch(undefined) })),
  finishReason: z.union([
    z.string().transform((unified) => ({ unified })),
    z.object({ unified: z.string() }),
  ]),
  usage: z
    .object({ inputTokens: tokenCount.nullish(), outputTokens: tokenCount.nullish() })
    .nullish()
    .catch(undefined),
});

export const videoStartSchema = z.object({
  operation: z.unknown().refine((value) => value !== undefined && value !== null, 'no operation'),
});

export const asyncJobSchema = z.object({
  providerMetadata: z.object({
    gateway: z.object({
      asyncJob: z.object({
        jobId: identifier,
        webhookSigningSecret: identifier.optional().catch(undefined),
      }),
    }),
  }),
});

const videoFileSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('url'), url: z.string().min(1), mediaType }),
  z.object({ type: z.literal('base64'), data: z.string().min(1), mediaType }),
  z.object({ type: z.literal('uploaded'), mediaType }),
]);

export type VideoFile = z.output<typeof videoFileSchema>;

export const videoStatusSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending') }),
  z.object({
    status: z.literal('completed'),
    /** One is asked: what stands beside it is not read. */
    videos: z
      .array(z.unknown())
      .transform((given) => given.slice(0, 1))
      .pipe(z.array(videoFileSchema)),
  }),
  z.object({ status: z.literal('error'), error: z.string().catch('') }),
  z.object({ status: z.literal('cancelled') }),
]);

const KNOWN_STATUSES: ReadonlySet<string> = new Set(['pending', 'completed', 'error', 'cancelled']);
const anyStatusSchema = z.object({ status: z.string().min(1) });

/** The word of a status answer that is none of those we know; undefined for any other answer. */
export function unknownVideoStatus(answer: unknown): string | undefined {
  const { data } = anyStatusSchema.safeParse(answer);
  return data && !KNOWN_STATUSES.has(data.status) ? data.status : undefined;
}

/** What ByteDance's own provider adds to a finished video. */
export const seedanceUsageSchema = z.object({
  providerMetadata: z.object({
    bytedance: z.object({ usage: z.object({ completion_tokens: z.number().int().positive() }) }),
  }),
});

export const generationInfoSchema = z.object({
  data: z.object({
    /** Of the generation that it is about. */
    id: z.string().optional(),
    total_cost: z.number().nonnegative(),
    /** What was debited. */
    gateway_cost: z.number().nonnegative().optional().catch(undefined),
    /** With a key of ours: what the provider bills us for. */
    upstream_inference_cost: z.number().nonnegative().optional().catch(undefined),
    is_byok: z.boolean().optional(),
    provider_name: z.string().optional().catch(undefined),
  }),
});

/** The shape is documented for batches alone: what is there is read, and nothing is needed. */
export const webhookEventSchema = z.object({
  data: z
    .object({
      jobId: z.string().min(1).optional().catch(undefined),
      /** `completed`, `failed`, `cancelled`, `error`… */
      status: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
