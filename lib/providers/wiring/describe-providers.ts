import { type Env, PROVIDER_NAMES, PROVIDERS, type ProviderName } from '#lib/core/env.ts';
import { type CaseId, MODELS } from '../models/catalogue.ts';
import type { ModelEntry, Pricing } from '../models/entry.ts';

export type ProviderState = {
  service: ProviderName;
  mode: 'live' | 'fixtures' | 'absent';
  /** Names of the variables that a live service lacks; never their values. */
  missing: string[];
  cases: CaseId[];
};

export type ModelRow = {
  case: CaseId;
  service: ProviderName;
  modelId: string;
  modelIdWithStartImage: string | null;
  pricing: Pricing;
  source: string;
  /** What could not be verified; null when nothing. */
  assumption: string | null;
};

const entries = Object.entries(MODELS) as [CaseId, ModelEntry][];

/** Each outside service as configured: really called, recorded or absent, and what it lacks by name. Pure; shows no secret. */
export function describeProviders(env: Env): ProviderState[] {
  return PROVIDER_NAMES.map((service) => {
    const isLive = env.liveProviders.has(service);
    const { key, needs, wants } = PROVIDERS[service];
    return {
      service,
      mode: isLive ? 'live' : env.isProduction ? 'absent' : 'fixtures',
      missing: isLive ? [key, ...needs, ...wants].filter((name) => !env[name]) : [],
      cases: entries.filter(([, entry]) => entry.service === service).map(([name]) => name),
    };
  });
}

/** The reviewed table of models: which one serves which case, its price, where that was read, what could not be verified. */
export function describeModels(): ModelRow[] {
  return entries.map(([name, entry]) => ({
    case: name,
    service: entry.service,
    modelId: entry.modelId,
    modelIdWithStartImage: entry.modelIdWithStartImage ?? null,
    pricing: entry.pricing,
    source: entry.source,
    assumption: entry.assumption ?? null,
  }));
}
