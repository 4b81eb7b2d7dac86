import { formatUsd } from '#lib/core/money.ts';
import { plural } from '#lib/core/text/plural.ts';
import { MARKS, type Mark } from '#lib/providers/models/marks.ts';

const NBSP = '\u00a0';
const decimals = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

type PricingFacts = Record<string, string | number | boolean>;

const amount = (facts: PricingFacts, name: string) => formatUsd(BigInt(String(facts[name] ?? 0)));
const seconds = (ms: unknown) => `${decimals.format(Number(ms ?? 0) / 1000)}${NBSP}s`;
/** `1,5 million`, `2 millions`: the word agrees with what is read. */
const millions = (value: unknown) => {
  const read = Math.round(Number(value) / 100_000) / 10;
  return `${decimals.format(read)} ${plural(read, 'million')}`;
};

/** ` de 25 images, à 50 images par seconde`, where frames are billed and there are more than the rate is of. */
const framesOf = ({ framesPerSecond, atFramesPerSecond }: PricingFacts) =>
  framesPerSecond === undefined
    ? ''
    : ` de ${atFramesPerSecond}${NBSP}images, à ${decimals.format(Number(framesPerSecond))}${NBSP}images par seconde,`;

/** What a price is made of, in one French line, from the `params.pricing` of a row or of a preview. Null when it says nothing. */
export function priceBasis(pricing: PricingFacts | undefined): string | null {
  switch (pricing?.basis) {
    case 'per-image': {
      const references = Number(pricing.references ?? 0);
      const joined =
        references > 0 ? `, plus ${references} mégapixel${references > 1 ? 's' : ''} de référence` : '';
      return `${amount(pricing, 'imageMicros')} par image${joined}`;
    }
    case 'per-output-block':
      return `${amount(pricing, 'blockMicros')} par tranche de ${millions(pricing.blockPixels)} de pixels faits\u00a0: ${millions(pricing.outputPixels)}`;
    case 'per-token':
      return `${amount(pricing, 'outputPerMillionMicros')} le million de jetons écrits\u00a0; retenu pour le plus long dessin`;
    case 'per-character':
      return `${amount(pricing, 'perThousandMicros')} les 1${NBSP}000 caractères`;
    case 'per-second':
      return `${amount(pricing, 'perSecondMicros')} la seconde${framesOf(pricing)} × ${seconds(pricing.outputMs)}`;
    case 'seedance': {
      const input = Number(pricing.inputMs ?? 0);
      const read = input > 0 ? ` + ${seconds(input)} de clips fournis` : '';
      return `${amount(pricing, 'perMillionTokensMicros')} le million de jetons, ${pricing.tier}, ${seconds(pricing.outputMs)}${read}`;
    }
    case 'source-clip':
      return `${amount(pricing, 'perSecondMicros')} la seconde du clip fourni × ${seconds(pricing.sourceMs)}`;
    case 'per-minute':
      return `${amount(pricing, 'perMinuteMicros')} la minute commencée\u00a0; dix minutes retenues`;
    default:
      return null;
  }
}

const SOURCES: Record<Mark, string> = {
  provider: 'page du fournisseur',
  'third-party': 'page d’un tiers, non confirmée par le fournisseur',
  inferred: 'estimé, aucune page ne le dit',
  own: 'fixé par ce service',
};

/** Where a case's price was read, and when. Null for a case that the table has no more. */
export function priceSource(caseName: string | undefined): string | null {
  const marks = Object.hasOwn(MARKS, caseName ?? '') ? MARKS[caseName as keyof typeof MARKS] : undefined;
  if (!marks) return null;
  const day = marks.readOn.split('-').reverse().join('/');
  return marks.price === 'own' ? SOURCES.own : `${SOURCES[marks.price]}, ${day}`;
}
