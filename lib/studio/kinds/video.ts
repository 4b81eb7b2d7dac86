import { modelFor, modelIdFor } from '#lib/providers/models/catalogue.ts';
import type { MediaRule, ModelEntry } from '#lib/providers/models/entry.ts';
import { estimateMicros, type PricingQuantities, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { FileInput, VideoReference, VideoStarted } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Submission } from '../generation/outcome.ts';
import { settingsOf } from '../generation/settings.ts';
import { VIDEO_DEADLINE_MS } from '../limits.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { isReadAsIs } from '../references/check-media.ts';
import { fitImage, inlineShare, weightOf } from '../references/fit-inline.ts';
import { type ReadReference, readReferences, type WantedReference } from '../references/read-references.ts';
import { signReference } from '../references/sign-reference.ts';
import type { RequestOf } from '../request.ts';
import { gatewayParams } from './checks.ts';
import { providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';
import { checkTotalDuration, type VideoSettings, videoSettings } from './video-settings.ts';
import { videoCallback } from './webhook-url.ts';

type Role = VideoReference['role'];
type Reference = ReadReference & { role: Role };

/** The nine video cases: started here, closed by the webhook, a read or the sweep. */
export const prepareVideo: PrepareKind<'video'> = async (ctx, request, product) => {
  const model = modelFor(request.case);
  const settings = videoSettings(request, model);
  const clipRule = model.references?.clip;
  const wanted = wantedReferences(request, model, ctx.studio.providers.modes.gateway === 'live');
  const read = await readReferences(ctx, product, wanted);
  const references = read.map((one, index) => ({ ...one, role: wanted[index]?.role as Role }));
  const clips = references
    .filter(({ role }) => role === 'clip')
    .map(({ file, durationMs = 0 }) => ({ ref: file.ref, durationMs }));
  checkTotalDuration(clips, clipRule);
  const { readsContext, ...prompt } = await preparePrompt(ctx, {
    kind: 'video',
    request,
    product,
    maxCharacters: model.limits.promptCharacters ?? 2_000,
  });

  const clipMs = clips.reduce((sum, clip) => sum + clip.durationMs, 0);
  const quantities = pricedQuantities(model, settings, clipMs);
  const pricing = pricingRecord(request.case, quantities);
  const modelId = modelIdFor(request.case, { startImage: request.startImage !== undefined });
  return {
    kind: request.case === 'motion' ? 'MOTION' : 'VIDEO',
    assetType: 'VIDEO',
    provider: model.service,
    modelId,
    params: {
      ...prompt,
      ...gatewayParams(ctx, request, { case: request.case, modelId, pricing }),
      settings: settingsOf(settings),
      ...(model.pricing.basis === 'seedance'
        ? { seedance: { tier: String(pricing.tier), rate: String(pricing.rate), inputMs: clipMs } }
        : {}),
    },
    references: references.length > 0 ? { roles: rolesOf(request, references) } : {},
    readsContext,
    estimateMicros: estimateMicros(request.case, quantities),
    start: (row) => startVideo(ctx, row, { case: request.case, prompt: prompt.prompt, settings, references }),
  };
};

/** The files that a request names, each with its role and rules, in the order in which the model is given them. */
function wantedReferences(
  { startImage, endImage, characters = [], clips = [] }: RequestOf<'video'>,
  { references: rules = {} }: ModelEntry,
  isLive: boolean,
): (WantedReference & { role: Role })[] {
  const image = (ref: string, role: Role) => ({ ref, as: 'image' as const, role, media: rules[role]?.media });
  const { minMs, maxMs, media } = rules.clip ?? {};
  // Recorded films are small loops, and may serve as clips where nobody looks at their pixels.
  const ofClip = isLive ? media : media?.types && { types: media.types };
  return [
    ...(startImage ? [image(startImage, 'start-image')] : []),
    ...(endImage ? [image(endImage, 'end-image')] : []),
    ...characters.map((ref) => image(ref, 'character')),
    ...clips.map((ref) => ({ ref, as: 'clip' as const, role: 'clip' as const, minMs, maxMs, media: ofClip })),
  ];
}

/** What the price depends on. Where a clip decides the length, the longest that the model makes is held. */
function pricedQuantities(model: ModelEntry, settings: VideoSettings, clipMs: number): PricingQuantities {
  const heldSeconds = settings.durationSeconds ?? model.limits.durationsSeconds?.at(-1);
  return {
    ...(heldSeconds === undefined ? {} : { outputMs: heldSeconds * 1000 }),
    ...(settings.resolution === undefined ? {} : { resolution: settings.resolution }),
    audio: settings.generateAudio,
    ...(model.pricing.basis === 'seedance' ? { inputMs: clipMs } : {}),
    ...(model.pricing.basis === 'source-clip' ? { sourceMs: clipMs } : {}),
  };
}

/** Which file serves as what, as the row records it. */
function rolesOf(request: RequestOf<'video'>, references: readonly Reference[]) {
  const files = (role: Role) => references.filter((one) => one.role === role).map(({ file }) => file);
  return {
    ...(request.startImage ? { startImage: files('start-image')[0] } : {}),
    ...(request.endImage ? { endImage: files('end-image')[0] } : {}),
    ...(request.characters?.length ? { character: files('character') } : {}),
    ...(request.clips?.length ? { clips: files('clip') } : {}),
  };
}

/** Starts the job at the provider: what it answered, for the row, or why it refused. */
async function startVideo(
  ctx: StudioContext,
  row: Generation,
  job: { case: string; prompt: string; settings: VideoSettings; references: readonly Reference[] },
): Promise<{ result: 'started'; submission: Submission } | Failed> {
  const { settings, references } = job;
  const callback = videoCallback(ctx.studio.config, row);
  const { references: rules = {} } = modelFor(job.case);
  const share = inlineShare(weightsOf(references, rules));
  const started = await ctx.studio.providers.video.start(
    {
      case: job.case,
      prompt: job.prompt,
      ...(settings.durationSeconds === undefined ? {} : { durationSeconds: settings.durationSeconds }),
      ...(settings.aspectRatio === undefined ? {} : { aspectRatio: settings.aspectRatio }),
      ...(settings.resolution === undefined ? {} : { resolution: settings.resolution }),
      generateAudio: settings.generateAudio,
      references: await Promise.all(
        references.map(async (reference) => ({
          role: reference.role,
          file: await fileInput(ctx, row, reference, {
            mostBytes: share,
            media: rules[reference.role]?.media,
          }),
          ...(reference.durationMs === undefined ? {} : { durationMs: reference.durationMs }),
        })),
      ),
      ...callback,
    },
    { idempotencyKey: row.id, accountId: row.accountId },
  );
  return started.outcome === 'failed'
    ? providerFailure(started)
    : { result: 'started', submission: submissionOf(started) };
}

/** What the row keeps of the job that was started. */
function submissionOf(started: VideoStarted): Submission {
  return {
    providerOperation: JSON.stringify(started.operation),
    modelId: started.modelId,
    ...(started.jobId ? { providerJobId: started.jobId } : {}),
    ...(started.webhookSecret ? { webhookSecret: started.webhookSecret } : {}),
    ...(started.gatewayGenerationId ? { gatewayGenerationId: started.gatewayGenerationId } : {}),
    facts: {
      webhook: started.webhookSecret !== undefined,
      ...(started.warnings.length > 0 ? { startWarnings: started.warnings } : {}),
      ...(started.dropped.length > 0 ? { dropped: started.dropped } : {}),
      ...(started.endFrameDropped ? { endFrameDropped: true } : {}),
    },
  };
}

/** What each image weighs in the request: the first frame is sent twice where there is a last one. */
function weightsOf(references: readonly Reference[], rules: NonNullable<ModelEntry['references']>): number[] {
  const hasEnd = references.some(({ role }) => role === 'end-image');
  return references.flatMap((reference) => {
    const { role } = reference;
    if (role === 'clip') return [];
    const weight = weightOf(reference, rules[role]?.media);
    return role === 'start-image' && hasEnd ? [weight, weight] : [weight];
  });
}

/**
 * Providers read a clip from an address alone, whatever its size: a signed one of ours, of the bytes that were measured. An image too heavy
 * for its share of the request goes so too, or smaller where neither the address nor the picture as it is would be read.
 */
async function fileInput(
  ctx: StudioContext,
  row: Generation,
  reference: Reference,
  { mostBytes, media }: { mostBytes: number; media: MediaRule | undefined },
): Promise<FileInput> {
  const { contentType, role } = reference;
  const isAddressed =
    reference.bytes.byteLength > mostBytes &&
    isReadAsIs(reference, media) &&
    ctx.studio.providers.modes.gateway === 'live' &&
    !modelFor(row.params.case ?? '').imagesInBytes;
  if (!(isAddressed || role === 'clip') || !ctx.studio.store) {
    const fit = { mostBytes, owner: row.accountId, media };
    const image = role === 'clip' ? reference : await fitImage(reference, fit);
    return { kind: 'bytes', bytes: image.bytes, mediaType: image.contentType };
  }
  const expiresAt = new Date(ctx.clock.now().getTime() + VIDEO_DEADLINE_MS);
  return { kind: 'url', url: await signReference(ctx, row, reference, expiresAt), mediaType: contentType };
}
