import type { Micros } from '#lib/core/money.ts';
import { modelFor } from './catalogue.ts';
import type { Pricing, SeedanceRates } from './entry.ts';

/**
 * The quantities a price is made of. For an estimate they are what was asked; for the formula cost, what was measured.
 * Durations in milliseconds. Each basis reads its own; one that it needs and misses is a RangeError.
 */
export type PricingQuantities = {
  /** per-image; `references` in begun megapixels */
  images?: number;
  references?: number;
  /** per-output-block: of the picture made */
  outputPixels?: number;
  /** per-token */
  inputTokens?: number;
  outputTokens?: number;
  /** per-character */
  characters?: number;
  /** per-second, seedance: duration of the file made */
  outputMs?: number;
  /** per-second, where frames are billed: of the file made, or of the clip that it is made of. Absent: as many as the rate is of. */
  framesPerSecond?: number;
  /** seedance: input clips, billed in addition to the output */
  inputMs?: number;
  /** source-clip: the only duration billed */
  sourceMs?: number;
  resolution?: string;
  audio?: boolean;
  /** per-minute: wall time of the run */
  runMs?: number;
};

/** What is written in `params.pricing`; amounts as text, since JSON has no bigint. */
type PricingRecord = { basis: Pricing['basis'] } & Record<string, string | number | boolean>;

/** What to hold before the call, in micro-dollars, rounded up. */
export function estimateMicros(caseId: string, asked: PricingQuantities): Micros {
  const { pricing, limits } = modelFor(caseId);
  if (pricing.basis === 'per-token') {
    // The reserve covers the whole output allowance: the model decides how much of it is used.
    return priceOf(pricing, { ...asked, outputTokens: asked.outputTokens ?? limits.maxOutputTokens });
  }
  if (pricing.basis === 'per-minute')
    return priceOf(pricing, { runMs: asked.runMs ?? pricing.reserveMinutes * 60_000 });
  return priceOf(pricing, asked);
}

/** What the call should have cost by the table, from measured quantities, in micro-dollars, rounded up. */
export function formulaCostMicros(caseId: string, measured: PricingQuantities): Micros {
  return priceOf(modelFor(caseId).pricing, measured);
}

/**
 * The same at the rates of the request, as its row keeps them (`pricingRecord`): what was held is not priced anew by a table that changed while
 * the job ran. A rate that the record does not say is the table's. A RangeError where the table now counts the case on another basis.
 */
export function requestedCostMicros(
  caseId: string,
  requested: Readonly<Record<string, unknown>>,
  measured: PricingQuantities,
): Micros {
  return priceOf(withRatesOf(requested, modelFor(caseId).pricing), measured);
}

/** Input tokens to hold for a text, erring high: one per two characters. */
export function estimateInputTokens(text: string): number {
  return Math.ceil(text.length / 2) + 64;
}

/** The tokens that a Seedance request counts, rounded up; undefined for a case that is not billed so. */
export function seedanceTokens(caseId: string, quantities: PricingQuantities): number | undefined {
  const { pricing } = modelFor(caseId);
  if (pricing.basis !== 'seedance') return undefined;
  const pixels = pricing.tierPixels[tierOf(pricing.tierPixels, quantities.resolution)] as number;
  const ms = (quantities.inputMs ?? 0) + needed(quantities.outputMs, 'outputMs');
  return Math.ceil((ms * pixels * pricing.framesPerSecond) / 1_024_000);
}

/** The facts of a price, for the row. */
export function pricingRecord(caseId: string, quantities: PricingQuantities): PricingRecord {
  const { pricing } = modelFor(caseId);
  switch (pricing.basis) {
    case 'per-image':
      return {
        basis: 'per-image',
        images: quantities.images ?? 1,
        references: quantities.references ?? 0,
        imageMicros: pricing.imageMicros.toString(),
      };
    case 'per-output-block':
      return {
        basis: 'per-output-block',
        blockMicros: pricing.blockMicros.toString(),
        blockPixels: pricing.blockPixels,
        outputPixels: needed(quantities.outputPixels, 'outputPixels'),
      };
    case 'per-token':
      return {
        basis: 'per-token',
        inputPerMillionMicros: pricing.inputPerMillionMicros.toString(),
        outputPerMillionMicros: pricing.outputPerMillionMicros.toString(),
      };
    case 'per-character':
      return { basis: 'per-character', perThousandMicros: pricing.perThousandMicros.toString() };
    case 'per-second':
      return {
        basis: 'per-second',
        perSecondMicros: perSecondRate(pricing, quantities).toString(),
        outputMs: needed(quantities.outputMs, 'outputMs'),
        ...moreFrames(pricing, quantities),
      };
    case 'seedance': {
      const inputMs = quantities.inputMs ?? 0;
      const rates = ratesOf(pricing, quantities.resolution);
      return {
        basis: 'seedance',
        tier: tierOf(pricing.tierPixels, quantities.resolution),
        rate: inputMs > 0 ? 'with-video' : 'without-video',
        perMillionTokensMicros: (inputMs > 0 ? rates.withVideo : rates.withoutVideo).toString(),
        inputMs,
        outputMs: needed(quantities.outputMs, 'outputMs'),
      };
    }
    case 'source-clip':
      return {
        basis: 'source-clip',
        perSecondMicros: rateOf(pricing.perSecondMicros, quantities.resolution).toString(),
        sourceMs: needed(quantities.sourceMs, 'sourceMs'),
      };
    case 'per-minute':
      return { basis: 'per-minute', perMinuteMicros: pricing.perMinuteMicros.toString() };
  }
}

function priceOf(pricing: Pricing, quantities: PricingQuantities): Micros {
  switch (pricing.basis) {
    case 'per-image':
      return (
        whole(quantities.images ?? 1, 'images') * pricing.imageMicros +
        whole(quantities.references ?? 0, 'references') * pricing.referenceMicros
      );
    case 'per-output-block':
      return (
        divideUp(whole(quantities.outputPixels, 'outputPixels'), BigInt(pricing.blockPixels)) *
        pricing.blockMicros
      );
    case 'per-token':
      return divideUp(
        whole(quantities.inputTokens, 'inputTokens') * pricing.inputPerMillionMicros +
          whole(quantities.outputTokens, 'outputTokens') * pricing.outputPerMillionMicros,
        1_000_000n,
      );
    case 'per-character':
      return divideUp(whole(quantities.characters, 'characters') * pricing.perThousandMicros, 1_000n);
    case 'per-second':
      return divideUp(
        whole(quantities.outputMs, 'outputMs') *
          perSecondRate(pricing, quantities) *
          BigInt(frameTenths(pricing, quantities)),
        1_000n * BigInt(rateTenths(pricing)),
      );
    case 'seedance': {
      const inputMs = whole(quantities.inputMs ?? 0, 'inputMs');
      const rates = ratesOf(pricing, quantities.resolution);
      const rate = inputMs > 0n ? rates.withVideo : rates.withoutVideo;
      if (quantities.outputTokens !== undefined)
        return divideUp(whole(quantities.outputTokens, 'outputTokens') * rate, 1_000_000n);
      const pixels = BigInt(pricing.tierPixels[tierOf(pricing.tierPixels, quantities.resolution)] as number);
      const pixelFrames =
        (inputMs + whole(quantities.outputMs, 'outputMs')) * pixels * BigInt(pricing.framesPerSecond);
      // tokens = pixels × frames / 1024; milliseconds and millions of tokens make the rest of the divisor.
      return divideUp(pixelFrames * rate, 1024n * 1_000n * 1_000_000n);
    }
    case 'source-clip':
      return divideUp(
        whole(quantities.sourceMs, 'sourceMs') * rateOf(pricing.perSecondMicros, quantities.resolution),
        1_000n,
      );
    case 'per-minute': {
      const begun = divideUp(whole(quantities.runMs, 'runMs'), 60_000n);
      return (begun > 0n ? begun : 1n) * pricing.perMinuteMicros;
    }
  }
}

/** The pricing of a case with the rates that a request was held at, for the bases of jobs that end after their request. */
function withRatesOf(requested: Readonly<Record<string, unknown>>, pricing: Pricing): Pricing {
  const { basis, atFramesPerSecond } = requested;
  if (basis !== undefined && basis !== pricing.basis)
    throw new RangeError('the case is not priced on this basis any more');
  const rate = (name: string) => {
    const written = requested[name];
    return typeof written === 'string' && /^\d{1,18}$/.test(written) ? BigInt(written) : undefined;
  };
  switch (pricing.basis) {
    case 'per-second': {
      const perSecond = rate('perSecondMicros');
      if (perSecond === undefined) return pricing;
      const frames = typeof atFramesPerSecond === 'number' ? atFramesPerSecond : pricing.atFramesPerSecond;
      return {
        basis: 'per-second',
        perSecondMicros: { requested: perSecond },
        ...(frames === undefined ? {} : { atFramesPerSecond: frames }),
      };
    }
    case 'source-clip': {
      const perSecond = rate('perSecondMicros');
      return perSecond === undefined ? pricing : { ...pricing, perSecondMicros: { requested: perSecond } };
    }
    case 'seedance': {
      const perMillion = rate('perMillionTokensMicros');
      if (perMillion === undefined) return pricing;
      const rates = { withoutVideo: perMillion, withVideo: perMillion };
      return { ...pricing, perMillionTokensMicros: rates, tierMicros: {} };
    }
    case 'per-minute':
      return { ...pricing, perMinuteMicros: rate('perMinuteMicros') ?? pricing.perMinuteMicros };
    default:
      return pricing;
  }
}

function ratesOf(
  pricing: Extract<Pricing, { basis: 'seedance' }>,
  resolution: string | undefined,
): SeedanceRates {
  return pricing.tierMicros[resolution ?? ''] ?? pricing.perMillionTokensMicros;
}

function perSecondRate(pricing: PerSecond, quantities: PricingQuantities): bigint {
  const silent = quantities.audio === false ? pricing.silentPerSecondMicros : undefined;
  return rateOf(silent ?? pricing.perSecondMicros, quantities.resolution);
}

type PerSecond = Extract<Pricing, { basis: 'per-second' }>;

/** Tenths of frames a second: what is measured of 29.97 is 30, and of 25 that end a moment late, 25. */
const rateTenths = ({ atFramesPerSecond }: PerSecond) => (atFramesPerSecond ?? 1) * 10;

/** At least those that the rate is of: what fewer cost is told by the provider's own figure. */
function frameTenths(pricing: PerSecond, { framesPerSecond = 0 }: PricingQuantities): number {
  const least = rateTenths(pricing);
  if (pricing.atFramesPerSecond === undefined) return least;
  return Math.max(least, Math.round(needed(framesPerSecond, 'framesPerSecond') * 10));
}

/** For the row: more frames than the rate is of. */
function moreFrames(pricing: PerSecond, quantities: PricingQuantities): Record<string, number> {
  const [tenths, least] = [frameTenths(pricing, quantities), rateTenths(pricing)];
  return tenths > least ? { framesPerSecond: tenths / 10, atFramesPerSecond: least / 10 } : {};
}

function rateOf(rates: Record<string, bigint>, resolution: string | undefined): bigint {
  return rates[tierOf(rates, resolution)] as bigint;
}

/** The tier asked for; the only one where there is one. */
function tierOf(tiers: Record<string, unknown>, resolution: string | undefined): string {
  const names = Object.keys(tiers);
  const tier = names.length === 1 ? (names[0] as string) : (resolution ?? '');
  if (!Object.hasOwn(tiers, tier)) throw new RangeError('resolution is not in the models table');
  return tier;
}

function needed(value: number | undefined, name: string): number {
  if (value === undefined || !Number.isFinite(value) || value < 0)
    throw new RangeError(`${name} is needed to price this case`);
  return value;
}

/** A non-negative whole quantity; fractions are rounded up. */
function whole(value: number | undefined, name: string): bigint {
  return BigInt(Math.ceil(needed(value, name)));
}

/** Integer division of non-negative numbers, rounding up. */
function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
