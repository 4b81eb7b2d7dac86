import { modelFor, modelIdFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, type PricingQuantities, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { FileInput, VideoReference } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { settingsOf } from '../generation/settings.ts';
import { VIDEO_DEADLINE_MS } from '../limits.ts';
import { preparePrompt } from '../prompt/prepare-prompt.ts';
import { fitImage, inlineShare } from '../references/fit-inline.ts';
import { type ReadReference, readReferences, type WantedReference } from '../references/read-references.ts';
import { signReference } from '../references/sign-reference.ts';
import { gatewayParams } from './checks.ts';
import { providerFailure } from './failures.ts';
import type { PrepareKind } from './kind.ts';
import { checkTotalDuration, videoSettings } from './video-settings.ts';
import { videoWebhookUrl } from './webhook-url.ts';

type Role = VideoReference['role'];

/** The nine video cases: started here, closed by the webhook, a read or the sweep. */
export const prepareVideo: PrepareKind<'video'> = async (ctx, request, product) => {
  const model = modelFor(request.case);
  const settings = videoSettings(request, model);
  const clipRule = model.references?.clip;
  const wanted: (WantedReference & { role: Role })[] = [];
  if (request.startImage) wanted.push({ ref: request.startImage, as: 'image', role: 'start-image' });
  if (request.endImage) wanted.push({ ref: request.endImage, as: 'image', role: 'end-image' });
  for (const ref of request.characters ?? []) wanted.push({ ref, as: 'image', role: 'character' });
  for (const ref of request.clips ?? [])
    wanted.push({ ref, as: 'clip', role: 'clip', minMs: clipRule?.minMs, maxMs: clipRule?.maxMs });
  const read = await readReferences(ctx, product, wanted);
  const of = (role: Role) => read.filter((_, index) => wanted[index]?.role === role);
  const clips = of('clip').map(({ file, durationMs = 0 }) => ({ ref: file.ref, durationMs }));
  checkTotalDuration(clips, clipRule);
  const { readsContext, ...prompt } = await preparePrompt(ctx, {
    kind: 'video',
    request,
    product,
    maxCharacters: model.limits.promptCharacters ?? 2_000,
  });

  const clipMs = clips.reduce((sum, clip) => sum + clip.durationMs, 0);
  // A clip that decides the length: the longest that the model makes is held.
  const heldSeconds = settings.durationSeconds ?? model.limits.durationsSeconds?.at(-1);
  const quantities: PricingQuantities = {
    ...(heldSeconds === undefined ? {} : { outputMs: heldSeconds * 1000 }),
    ...(settings.resolution === undefined ? {} : { resolution: settings.resolution }),
    audio: settings.generateAudio,
    ...(model.pricing.basis === 'seedance' ? { inputMs: clipMs } : {}),
    ...(model.pricing.basis === 'source-clip' ? { sourceMs: clipMs } : {}),
  };
  const pricing = pricingRecord(request.case, quantities);
  const modelId = modelIdFor(request.case, { startImage: request.startImage !== undefined });
  const { publicUrl } = ctx.studio.config;
  const files = (role: Role) => of(role).map(({ file }) => file);
  const roles = {
    ...(request.startImage ? { startImage: files('start-image')[0] } : {}),
    ...(request.endImage ? { endImage: files('end-image')[0] } : {}),
    ...(request.characters?.length ? { character: files('character') } : {}),
    ...(request.clips?.length ? { clips: files('clip') } : {}),
  };
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
    references: read.length > 0 ? { roles } : {},
    readsContext,
    estimateMicros: estimateMicros(request.case, quantities),
    async start(row) {
      const callbackUrl = publicUrl?.startsWith('https://') ? videoWebhookUrl(publicUrl, row) : undefined;
      const share = inlineShare(weightsOf(read, wanted));
      const started = await ctx.studio.providers.video.start(
        {
          case: request.case,
          prompt: prompt.prompt,
          ...(settings.durationSeconds === undefined ? {} : { durationSeconds: settings.durationSeconds }),
          ...(settings.aspectRatio === undefined ? {} : { aspectRatio: settings.aspectRatio }),
          ...(settings.resolution === undefined ? {} : { resolution: settings.resolution }),
          generateAudio: settings.generateAudio,
          references: await Promise.all(
            read.map(async (reference, index) => ({
              role: wanted[index]?.role as Role,
              file: await fileInput(ctx, row, reference, {
                role: wanted[index]?.role as Role,
                share,
              }),
              ...(reference.durationMs === undefined ? {} : { durationMs: reference.durationMs }),
            })),
          ),
          ...(callbackUrl ? { callbackUrl } : {}),
        },
        { idempotencyKey: row.id, accountId: row.accountId },
      );
      if (started.outcome === 'failed') return providerFailure(started);
      return {
        result: 'started',
        submission: {
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
        },
      };
    },
  };
};

/** What each image weighs in the request: the first frame is sent twice where there is a last one. */
function weightsOf(read: readonly ReadReference[], wanted: readonly { role: Role }[]): number[] {
  const roles = wanted.map(({ role }) => role);
  return read.flatMap(({ bytes }, index) => {
    if (roles[index] === 'clip') return [];
    const isTwice = roles[index] === 'start-image' && roles.includes('end-image');
    return isTwice ? [bytes.byteLength, bytes.byteLength] : [bytes.byteLength];
  });
}

/**
 * Providers read a clip from an address alone, whatever its size: a signed one of ours, of the bytes that were measured. An image too heavy
 * for its share of the request goes so too, or smaller where an address is not read.
 */
async function fileInput(
  ctx: StudioContext,
  row: Generation,
  reference: ReadReference,
  { role, share }: { role: Role; share: number },
): Promise<FileInput> {
  const { contentType } = reference;
  const isAddressed =
    reference.bytes.byteLength > share &&
    ctx.studio.providers.modes.gateway === 'live' &&
    !modelFor(row.params.case ?? '').imagesInBytes;
  if (!(isAddressed || role === 'clip') || !ctx.studio.store) {
    const fit = { mostBytes: share, owner: row.accountId };
    const image = role === 'clip' ? reference : await fitImage(reference, fit);
    return { kind: 'bytes', bytes: image.bytes, mediaType: image.contentType };
  }
  const expiresAt = new Date(ctx.clock.now().getTime() + VIDEO_DEADLINE_MS);
  return { kind: 'url', url: await signReference(ctx, row, reference, expiresAt), mediaType: contentType };
}
