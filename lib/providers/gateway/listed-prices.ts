import { z } from 'zod';
import { type Micros, microsFromUsd } from '#lib/core/money.ts';
import { type CaseId, MODELS } from '../models/catalogue.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { ProviderFailure } from '../ports.ts';
import { badAnswer, jsonOf, send, type Wiring } from '../transport.ts';
import { GATEWAY_ORIGIN } from './client.ts';

const usd = z.union([z.string(), z.number()]).nullish().catch(undefined);
const tokenRate = z.object({ cost_per_million_tokens: usd }).nullish().catch(undefined);

/** The gateway's list of models, read leniently: no page documents `pricing`; @ai-sdk/gateway lets its fields pass. */
const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      pricing: z
        .object({
          input: usd,
          output: usd,
          image: usd,
          video_duration_pricing: z
            .array(
              z.object({
                resolution: z.string().nullish(),
                audio: z.boolean().nullish(),
                mode: z.string().nullish(),
                cost_per_second: usd,
              }),
            )
            .nullish()
            .catch(undefined),
          video_token_pricing: z
            .object({ no_video_input: tokenRate, with_video_input: tokenRate })
            .nullish()
            .catch(undefined),
        })
        .nullish()
        .catch(undefined),
    }),
  ),
});

type Listed = NonNullable<z.output<typeof listSchema>['data'][number]['pricing']>;

/** One price of the table beside the gateway's own. */
type ComparedPrice = {
  case: CaseId;
  modelId: string;
  /** `image`, `input`, `1080p`, `720p silent`, `with a clip`… */
  what: string;
  oursMicros: Micros;
  /** Null: the list has the model and not this price. */
  listedMicros: Micros | null;
  said: 'same' | 'differs' | 'no-price' | 'no-model';
};

type Part = { what: string; oursMicros: Micros; listed: (pricing: Listed) => unknown; perMillion?: boolean };

/** Compares each price of the table with the gateway's list of models, which needs no key. Generates and pays nothing. */
export async function compareListedPrices(
  client: Wiring,
  timeoutMs: number,
): Promise<{ outcome: 'compared'; prices: ComparedPrice[] } | ProviderFailure> {
  const answer = await send(
    client,
    {
      method: 'GET',
      url: `${GATEWAY_ORIGIN}/v1/models`,
      headers: { accept: 'application/json' },
      repeatable: true,
      maxBytes: 16 * 1024 * 1024,
    },
    timeoutMs,
    {},
  );
  if (answer.outcome === 'failed') return answer;
  const parsed = listSchema.safeParse(jsonOf(answer.bytes));
  if (!parsed.success) return badAnswer('the list of models is not what its readers say');
  const pricingOf = new Map(parsed.data.data.map(({ id, pricing }) => [id, pricing ?? {}]));
  const prices: ComparedPrice[] = [];
  for (const [name, model] of Object.entries(MODELS) as [CaseId, ModelEntry][]) {
    if (model.service !== 'gateway') continue;
    const ids = [model.modelId, model.modelIdWithStartImage].filter((id) => id !== undefined);
    for (const modelId of ids) {
      const pricing = pricingOf.get(modelId);
      for (const { what, oursMicros, listed, perMillion } of partsOf(model)) {
        const listedMicros = pricing ? microsOf(listed(pricing), perMillion) : null;
        const said =
          pricing === undefined
            ? 'no-model'
            : listedMicros === null
              ? 'no-price'
              : listedMicros === oursMicros
                ? 'same'
                : 'differs';
        prices.push({ case: name, modelId, what, oursMicros, listedMicros, said });
      }
    }
  }
  return { outcome: 'compared', prices };
}

function microsOf(listed: unknown, perMillion = false): Micros | null {
  if (typeof listed !== 'string' && typeof listed !== 'number') return null;
  try {
    return microsFromUsd(perMillion ? `${listed}e6` : listed);
  } catch {
    return null;
  }
}

/** What a line of the table is made of, each with where the gateway lists it. */
function partsOf({ pricing, resolutionParameter }: ModelEntry): Part[] {
  switch (pricing.basis) {
    case 'per-image':
      return [{ what: 'image', oursMicros: pricing.imageMicros, listed: ({ image }) => image }];
    case 'per-output-block':
      return [{ what: 'block', oursMicros: pricing.blockMicros, listed: ({ image }) => image }];
    case 'per-token':
      return [
        {
          what: 'input',
          oursMicros: pricing.inputPerMillionMicros,
          perMillion: true,
          listed: ({ input }) => input,
        },
        {
          what: 'output',
          oursMicros: pricing.outputPerMillionMicros,
          perMillion: true,
          listed: ({ output }) => output,
        },
      ];
    case 'per-second':
    case 'source-clip': {
      const silent = pricing.basis === 'per-second' ? pricing.silentPerSecondMicros : undefined;
      const second = (tier: string, oursMicros: Micros, isSilent: boolean): Part => ({
        what: isSilent ? `${tier} silent` : tier,
        oursMicros,
        listed: (listed) =>
          perSecond(listed, { tier, isSilent, hasModes: resolutionParameter === 'kling-mode' }),
      });
      return [
        ...Object.entries(pricing.perSecondMicros).map(([tier, micros]) => second(tier, micros, false)),
        ...Object.entries(silent ?? {}).map(([tier, micros]) => second(tier, micros, true)),
      ];
    }
    case 'seedance': {
      const { withoutVideo, withVideo } = pricing.perMillionTokensMicros;
      return [
        {
          what: 'without a clip',
          oursMicros: withoutVideo,
          listed: (listed) => listed.video_token_pricing?.no_video_input?.cost_per_million_tokens,
        },
        {
          what: 'with a clip',
          oursMicros: withVideo,
          listed: (listed) => listed.video_token_pricing?.with_video_input?.cost_per_million_tokens,
        },
      ];
    }
    default:
      return [];
  }
}

/** The rate of a tier: by its resolution, or by its mode where the model has modes; one that says nothing of sound is of both. */
function perSecond(
  { video_duration_pricing: rates }: Listed,
  wanted: { tier: string; isSilent: boolean; hasModes: boolean },
): unknown {
  const mode = wanted.tier === '1080p' ? 'pro' : 'std';
  const ofTier = (rates ?? []).filter((rate) => {
    if (wanted.hasModes && rate.mode) return rate.mode === mode;
    return !rate.resolution || rate.resolution.toLowerCase() === wanted.tier;
  });
  const bySound = ofTier.find(({ audio }) => audio === !wanted.isSilent);
  return (bySound ?? ofTier.find(({ audio }) => audio == null))?.cost_per_second;
}
