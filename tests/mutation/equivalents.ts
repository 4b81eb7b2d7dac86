/** A change that no test can notice, since the program behaves the same: what was there, what was put in its place, and why. */
export type Equivalent = { file: string; original: string; replacement: string; why: string };

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/studio/lifecycle/decide.ts',
    original: 'ran < row.heldMicros',
    replacement: 'ran <= row.heldMicros',
    why: 'where both are the same amount, either is the answer',
  },
  ...['false', '""'].map((replacement) => ({
    file: 'lib/studio/lifecycle/decide.ts',
    original: replacement === 'false' ? "outcome.result === 'delivered'" : "'delivered'",
    replacement,
    why: 'a delivered outcome has neither a code nor a technical message: nothing is discarded either way',
  })),
  {
    file: 'lib/studio/lifecycle/decide.ts',
    original: "'internal-error'",
    replacement: '""',
    why: 'only kinds with a deadline are ever late, and those have a code; the type asks for one',
  },
  {
    file: 'lib/brain/capacity-units.ts',
    original: "'utf8'",
    replacement: '""',
    why: 'Node takes an encoding that it does not know for UTF-8',
  },
  {
    file: 'lib/webhooks/secrets.ts',
    original: "'utf8'",
    replacement: '""',
    why: 'Node takes an encoding that it does not know for UTF-8',
  },
  {
    file: 'lib/core/money.ts',
    original: 'shift >= 0',
    replacement: 'shift > 0',
    why: 'where nothing is shifted, rounding a whole number to a whole gives it again',
  },
  {
    file: 'lib/core/money.ts',
    original: "'0'",
    replacement: '""',
    why: 'no exponent is an exponent of nothing: Number of either is 0',
  },
  {
    file: 'lib/ledger/caps.ts',
    original: 'after === undefined',
    replacement: 'false',
    why: 'what is left as it is is never more than what was: undefined is above no amount',
  },
  {
    file: 'lib/providers/models/pricing.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'a text that names no tier, where no resolution is told: another one names none either',
  },
  {
    file: 'lib/providers/models/pricing.ts',
    original: 'value === undefined',
    replacement: 'false',
    why: 'what is undefined is not finite either: the words after it refuse it; it is there for the type',
  },
  {
    file: 'lib/studio/closing/decide-cost.ts',
    original: 'gatewayMicros > formulaMicros',
    replacement: 'gatewayMicros >= formulaMicros',
    why: 'where both are the same amount, either difference is nothing',
  },
  {
    file: 'lib/studio/closing/decide-cost.ts',
    original: 'formulaMicros > heldMicros',
    replacement: 'formulaMicros >= heldMicros',
    why: 'where both are the same amount, either is the larger',
  },
];
