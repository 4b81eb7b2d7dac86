import { generation as sentences } from '#lib/messages/studio.ts';
import type { PricingQuantities } from '#lib/providers/models/pricing.ts';
import type { GatewayCharge, JobFailed } from '#lib/providers/ports.ts';
import { isOutOfTime } from '#lib/storage/media/measure-in-child.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { measureClip } from '#lib/storage/media/probe.ts';
import type { ProbedClip } from '#lib/storage/media/probe-clip.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { CostFacts, Failed, Outcome } from '../generation/outcome.ts';
import { paidLoss, sentenceOf } from '../kinds/failures.ts';
import { gatewayCost } from '../kinds/gateway-cost.ts';
import { MAX_RESULT_BYTES } from '../limits.ts';
import { differencesOf } from './differences.ts';
import { fetchResult } from './fetch-result.ts';
import type { JobCompleted } from './read-status.ts';
import { requestedCost } from './requested-cost.ts';

/** The provider ended the job without a file. */
export function failedJob(status: JobFailed): Failed {
  const message = status.reason === 'no-file' ? sentences.unusableFile : sentenceOf(status.reason);
  return {
    result: 'failed',
    code: 'provider-failure',
    errorMessage: `${status.reason}: ${status.detail}`,
    ...(message ? { message } : {}),
    ...(status.paid ? { paid: paidLoss(status) } : {}),
    ...(status.gatewayGenerationId ? { gatewayGenerationId: status.gatewayGenerationId } : {}),
  };
}

/**
 * What a finished job becomes: the file fetched, its type and duration measured, its cost worked out; or why the member gets
 * none. `later` when the file could not be fetched, or measured, this time.
 */
export async function completedJob(
  ctx: StudioContext,
  row: Generation,
  status: JobCompleted,
): Promise<Outcome | { result: 'later'; reason: string }> {
  const dropped = [
    ...new Set([...(row.params.dropped ?? []), ...('dropped' in status ? status.dropped : [])]),
  ];
  const charge = chargeOf(row, status);
  const identity = charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {};
  if (dropped.length > 0) return settingDropped(charge, dropped);
  const fetched = await fetchResult(ctx, status.file);
  if (fetched.result !== 'bytes')
    return fetched.result === 'later'
      ? { result: 'later', reason: fetched.reason }
      : unusable(fetched.reason, charge);
  try {
    const clip = await measureClip(fetched.bytes, { maxBytes: MAX_RESULT_BYTES, owner: row.accountId });
    const different = differencesOf(row, clip);
    if (different.length > 0) return settingDropped(charge, different);
    const outputTokens =
      status.usage && 'outputTokens' in status.usage ? status.usage.outputTokens : undefined;
    const quantities = quantitiesOf(row, clip, outputTokens);
    const formula = {
      formulaMicros: requestedCost(row, quantities),
      fromUsage: outputTokens !== undefined,
    };
    const endFrameDropped =
      row.params.endFrameDropped || ('endFrameDropped' in status && status.endFrameDropped);
    return {
      result: 'delivered',
      files: [
        {
          name: `video.${clip.extension}`,
          bytes: fetched.bytes,
          contentType: clip.contentType,
          width: clip.width,
          height: clip.height,
          durationMs: clip.durationMs,
        },
      ],
      cost: row.kind === 'LIPSYNC' ? lipsyncCost(charge, formula) : await gatewayCost(ctx, charge, formula),
      facts: {
        durationMs: clip.durationMs,
        ...(outputTokens === undefined ? {} : { outputTokens }),
        ...(endFrameDropped ? { endFrameDropped: true } : {}),
      },
      ...identity,
    };
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error;
    // A machine under load reads slowly: what was paid is measured again, until the job's time is over.
    return isOutOfTime(error)
      ? { result: 'later', reason: 'not measured in time' }
      : unusable(error.reason, charge);
  }
}

/** The price in the answer. Where it does not name its generation, the one named at the start is used to look up the cost. */
function chargeOf(row: Generation, status: JobCompleted): GatewayCharge {
  const named = 'gatewayGenerationId' in status ? status.gatewayGenerationId : undefined;
  const gatewayGenerationId = named ?? row.gatewayGenerationId;
  return {
    ...(gatewayGenerationId ? { gatewayGenerationId } : {}),
    ...('costMicros' in status && status.costMicros !== undefined ? { costMicros: status.costMicros } : {}),
  };
}

/** The provider was paid for something else than what was asked. */
function settingDropped(charge: GatewayCharge, dropped: string[]): Failed {
  return {
    result: 'failed',
    code: 'setting-dropped',
    ...(dropped.includes('references') ? { message: sentences.referenceDropped } : {}),
    errorMessage: `dropped: ${dropped.join(', ')}`,
    paid: { ...paidLoss(charge), reason: 'setting-dropped', dropped },
    facts: { dropped },
    ...(charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {}),
  };
}

function unusable(reason: string, charge: GatewayCharge): Failed {
  return {
    result: 'failed',
    code: 'provider-failure',
    message: sentences.unusableFile,
    errorMessage: `unusable file: ${reason}`,
    paid: paidLoss(charge),
    ...(charge.gatewayGenerationId ? { gatewayGenerationId: charge.gatewayGenerationId } : {}),
  };
}

/** The service tells a job's price with its end, or not at all: nobody else is asked. */
const lipsyncCost = ({ costMicros }: GatewayCharge, formula: CostFacts): CostFacts =>
  costMicros === undefined ? formula : { ...formula, gatewayMicros: costMicros };

/** Encoders end on a frame, not on a second: within half a second, what was asked is what is billed. */
const ROUNDING_MS = 500;

function quantitiesOf(
  row: Generation,
  { durationMs: measuredMs, framesPerSecond }: Pick<ProbedClip, 'durationMs' | 'framesPerSecond'>,
  outputTokens: number | undefined,
): PricingQuantities {
  const { settings = {}, pricing = {} } = row.params;
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  const askedMs = number(pricing.outputMs);
  const outputMs =
    askedMs !== undefined && Math.abs(askedMs - measuredMs) <= ROUNDING_MS ? askedMs : measuredMs;
  const inputMs = number(pricing.inputMs);
  const sourceMs = number(pricing.sourceMs);
  return {
    outputMs,
    ...(framesPerSecond === null ? {} : { framesPerSecond }),
    ...(inputMs === undefined ? {} : { inputMs }),
    ...(sourceMs === undefined ? {} : { sourceMs }),
    ...(typeof settings.resolution === 'string' ? { resolution: settings.resolution } : {}),
    ...(typeof settings.generateAudio === 'boolean' ? { audio: settings.generateAudio } : {}),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}
