import { z } from 'zod';
import { PROVENANCES } from '#lib/storage/media/provenance/provenances.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const warning = z.object({
  type: z.string(),
  feature: z.string().optional(),
  details: z.string().optional(),
});

/** Everything a row says of its request, its price and its course (S-13 to S-26, and ours below). */
export const paramsSchema = z.object({
  /** The stacked prompt, exactly as sent. */
  prompt: z.string().optional(),
  brief: z.string().optional(),
  case: z.string().optional(),
  skills: z.array(z.string()).optional(),
  /** What the cockpit sent and the server ignored: `system`, `rules`, `connectors`, `skill:<name>`. */
  ignoredLayers: z.array(z.string()).optional(),
  /**
   * `reserve`: the gateway's figure, or the provider's count, could not be true: what was held is debited. `estimate`: what it cost went with
   * the process that knew it: the price that was worked out before the call is debited.
   */
  costSource: z.enum(['gateway', 'usage', 'formula', 'reserve', 'estimate']).optional(),
  outputTokens: z.number().optional(),
  /** Maker of the model: `google`, `bytedance`, `elevenlabs`… */
  engine: z.string().optional(),
  pricing: z.record(z.string(), scalar).optional(),
  /** True if a webhook was registered. */
  webhook: z.boolean().optional(),
  startWarnings: z.array(warning).optional(),
  workflowRunId: z.string().optional(),
  runUrl: z.string().optional(),
  /** Measured cost whose debit is still to be written. */
  pendingCostMicros: z.number().int().nonnegative().optional(),
  endFrameDropped: z.boolean().optional(),
  voiceMs: z.number().optional(),
  /** When each word of the brief is said: start and end of each, in milliseconds, as the provider of the voice told. */
  alignment: z.array(z.number()).optional(),
  seedance: z.object({ tier: z.string(), rate: z.string(), inputMs: z.number() }).optional(),
  // Ours
  /** The model that was asked first and took nothing, and what it said; `modelId` is then the one that was asked instead. */
  fallback: z.object({ insteadOf: z.string(), reason: z.string() }).optional(),
  /** What the model that was asked costs by the table, where the reserve covers a dearer one. */
  expectedMicros: z.number().int().nonnegative().optional(),
  /** `live` or `fixtures`: which kind of provider answered. */
  mode: z.string().optional(),
  /** Billed settings that the provider said it dropped, at start or at the end. */
  dropped: z.array(z.string()).optional(),
  settings: z.record(z.string(), scalar).optional(),
  spaceId: z.string().optional(),
  /** What was asked, so that it can be asked again. */
  request: z.record(z.string(), z.unknown()).optional(),
  template: z.string().optional(),
  size: z.string().optional(),
  /** Begun minutes of the run, at the flat rate. */
  runMinutes: z.number().optional(),
  durationMs: z.number().optional(),
  composition: z.record(z.string(), scalar).optional(),
});
export type Params = z.output<typeof paramsSchema>;

const file = z.object({
  /** As the member gave it: an address, or an identifier of ours. */
  ref: z.string(),
  /** Where it lies when it is a file of ours; what retention must keep while the row runs. */
  pathname: z.string().optional(),
  contentType: z.string().optional(),
  durationMs: z.number().optional(),
});
export type ReferenceFile = z.output<typeof file>;

/** Which file served as what. */
export const referencesSchema = z.object({
  roles: z
    .object({
      startImage: file.optional(),
      endImage: file.optional(),
      character: z.array(file).optional(),
      clips: z.array(file).optional(),
      images: z.array(file).optional(),
      product: file.optional(),
      mask: file.optional(),
      fields: z.record(z.string(), file).optional(),
    })
    .optional(),
  voiceGenerationId: z.string().optional(),
});
export type References = z.output<typeof referencesSchema>;

const artifactSchema = z.object({
  pathname: z.string(),
  contentType: z.string(),
  bytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
  durationMs: z.number().optional(),
  etag: z.string().optional(),
  /** What the stored bytes say of their origin; absent on rows older than this. */
  provenance: z.enum(PROVENANCES).optional(),
});
export type Artifact = z.output<typeof artifactSchema>;

const artifactsSchema = z.array(artifactSchema);

/** Reads the stored JSON again through its type; a row that an older version wrote loses only what is not understood. */
export function parseParams(value: unknown): Params {
  const parsed = paramsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const bad = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  const kept = Object.entries(value && typeof value === 'object' ? value : {}).filter(
    ([key]) => !bad.has(key),
  );
  return paramsSchema.safeParse(Object.fromEntries(kept)).data ?? {};
}

/** The stored references of a row; what does not read any more reads as none. */
export function parseReferences(value: unknown): References {
  return referencesSchema.safeParse(value).data ?? {};
}

/** The stored artifacts of a row; what does not read any more reads as none. */
export function parseArtifacts(value: unknown): Artifact[] {
  return artifactsSchema.safeParse(value).data ?? [];
}
