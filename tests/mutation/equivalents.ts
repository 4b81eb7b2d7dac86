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
];
