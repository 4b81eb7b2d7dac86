import { formatUsd } from '#lib/core/money.ts';
import { type CaseId, MODELS } from './catalogue.ts';
import type { MediaRule, ModelEntry, Pricing, SeedanceRates } from './entry.ts';

/** The models table as Markdown, for docs/providers.md. */
export function modelsTable(): string {
  const lines = [
    '| Case | Service and model | Price | Limits | References | Source | Not verified |',
    '|---|---|---|---|---|---|---|',
  ];
  for (const [name, entry] of Object.entries(MODELS) as [CaseId, ModelEntry][]) {
    const other = entry.modelIdWithStartImage
      ? `<br>\`${entry.modelIdWithStartImage}\` with a start image`
      : '';
    lines.push(
      `| ${[
        `\`${name}\``,
        `${entry.service}<br>\`${entry.modelId}\`${other}`,
        priceText(entry.pricing),
        limitsText(entry),
        referencesText(entry),
        entry.source,
        entry.assumption ?? '—',
      ].join(' | ')} |`,
    );
  }
  return lines.join('\n');
}

function dollars(micros: bigint): string {
  return formatUsd(micros)
    .replace(/\s?\$US/, '')
    .replace(',', '.')
    .replace(/^/, '$');
}

function rates(byTier: Record<string, bigint>): string {
  return Object.entries(byTier)
    .map(([tier, micros]) => (tier === 'default' ? dollars(micros) : `${tier} ${dollars(micros)}`))
    .join(', ');
}

function priceText(pricing: Pricing): string {
  switch (pricing.basis) {
    case 'per-image':
      return `per-image of one megapixel: ${dollars(pricing.imageMicros)}, each megapixel of reference ${dollars(pricing.referenceMicros)}`;
    case 'per-output-block':
      return `each begun ${pricing.blockPixels / 1_000_000} megapixels made: ${dollars(pricing.blockMicros)}`;
    case 'per-token':
      return `per-token: ${dollars(pricing.inputPerMillionMicros)} in, ${dollars(pricing.outputPerMillionMicros)} out, per million`;
    case 'per-character':
      return `per-character: ${dollars(pricing.perThousandMicros)} per thousand`;
    case 'per-second': {
      const silent = pricing.silentPerSecondMicros ? `; silent ${rates(pricing.silentPerSecondMicros)}` : '';
      const frames = pricing.atFramesPerSecond
        ? `, of ${pricing.atFramesPerSecond} frames; more in proportion`
        : '';
      return `per-second: ${rates(pricing.perSecondMicros)}${silent}${frames}`;
    }
    case 'seedance':
      return `seedance: ${dollars(pricing.perMillionTokensMicros.withoutVideo)} per million tokens, ${dollars(pricing.perMillionTokensMicros.withVideo)} with a clip${tierText(pricing.tierMicros)}; tokens = (input + output seconds) × pixels × ${pricing.framesPerSecond} / 1024`;
    case 'source-clip':
      return `source-clip, per second of the clip: ${rates(pricing.perSecondMicros)}`;
    case 'per-minute':
      return `per begun minute: ${dollars(pricing.perMinuteMicros)}; ${pricing.reserveMinutes} minutes held`;
  }
}

function limitsText({ limits }: ModelEntry): string {
  const seconds = limits.durationsSeconds;
  const parts = [
    limits.aspectRatios?.join(', '),
    limits.resolutions?.join(', '),
    seconds && `${isRange(seconds) ? `${seconds[0]}–${seconds.at(-1)}` : seconds.join(', ')} s`,
    limits.audio && `sound: ${limits.audio}`,
    limits.promptCharacters && `prompt ${limits.promptCharacters} characters`,
    limits.textCharacters && `text ${limits.textCharacters} characters`,
    limits.voiceSeconds && `voice of ${limits.voiceSeconds} s at most`,
    limits.maxOutputTokens && `${limits.maxOutputTokens} tokens out`,
    limits.references && `${limits.references} references${mediaText(limits.media)}`,
    limits.seed && 'no seed',
    limits.background && `background: ${limits.background}`,
    limits.mask && 'a mask',
    limits.scales && `× ${limits.scales.join(', × ')}`,
    limits.outputPixels && `${limits.outputPixels} pixels out`,
  ];
  return parts.filter(Boolean).join('<br>') || '—';
}

function tierText(tiers: Record<string, SeedanceRates> | undefined): string {
  return Object.entries(tiers ?? {})
    .map(
      ([tier, { withoutVideo, withVideo }]) => `, ${tier} ${dollars(withoutVideo)} and ${dollars(withVideo)}`,
    )
    .join('');
}

function isRange(values: readonly number[]): boolean {
  return values.length > 3 && values.every((value, index) => value === (values[0] as number) + index);
}

function mediaText(rule: MediaRule | undefined): string {
  const { types, minSide, maxSide, maxRatio, minPixels, maxPixels, minFramesPerSecond } = rule ?? {};
  const parts = [
    types?.map((type) => type.replace(/^.*\//, '')).join(' or '),
    minSide && (maxSide ? `sides of ${minSide}–${maxSide} pixels` : `sides of ${minSide} pixels at least`),
    maxRatio && `ratio 1:${maxRatio} to ${maxRatio}:1`,
    minPixels && (maxPixels ? `${minPixels}–${maxPixels} pixels in all` : `${minPixels} pixels at least`),
    minFramesPerSecond && `${minFramesPerSecond}–${rule?.maxFramesPerSecond} frames a second`,
  ];
  return parts
    .filter(Boolean)
    .map((part) => `, ${part}`)
    .join('');
}

function referencesText(entry: ModelEntry): string {
  const roles = Object.entries(entry.references ?? {}).map(([role, rule]) => {
    const count = rule.min === rule.max ? `${rule.max}` : `${rule.min}–${rule.max}`;
    const length = rule.maxMs ? `, ${(rule.minMs ?? 0) / 1_000}–${rule.maxMs / 1_000} s` : '';
    const total = rule.maxTotalMs ? `, ${rule.maxTotalMs / 1_000} s in all` : '';
    return `${role} ${count}${length}${total}${mediaText(rule.media)}`;
  });
  if (entry.fallback) roles.push(`falls back on \`${entry.fallback.case}\`: ${entry.fallback.why}`);
  if (entry.unserved) roles.push(`**not served live**: ${entry.unserved}`);
  if (entry.framesDecideRatio) roles.push('frames decide the ratio');
  if (entry.clipsDecideShape) roles.push('a clip decides length and ratio');
  if (entry.secondsWithCharacters) roles.push(`${entry.secondsWithCharacters} s with characters`);
  if (entry.framesExcludeReferences && (entry.references?.character || entry.references?.clip))
    roles.push('frames exclude the others');
  return roles.join('<br>') || '—';
}
