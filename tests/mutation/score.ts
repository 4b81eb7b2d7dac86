import { EQUIVALENTS } from './equivalents.ts';

/** One change of the code and what the tests made of it, as Stryker reports it. */
export type Mutant = {
  file: string;
  line: number;
  status: string;
  original: string;
  replacement: string;
};

export type Score = {
  killed: number;
  /** Of those: the runs that did not end. */
  endless: number;
  survived: Mutant[];
  /** No test runs them. */
  uncovered: Mutant[];
  equivalent: number;
  /** Of those that a test runs and that change something. */
  percent: number;
};

const isEquivalent = (one: Mutant) =>
  EQUIVALENTS.some(
    (known) =>
      known.file === one.file && known.original === one.original && known.replacement === one.replacement,
  );

/** What a folder's tests notice: a change that they end on (killed, or a run without end) against those that they let pass. */
export function scoreOf(mutants: readonly Mutant[]): Score {
  const of = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status));
  const killed = of('Killed', 'Timeout').length;
  const lived = of('Survived');
  const survived = lived.filter((one) => !isEquivalent(one));
  const judged = killed + survived.length;
  return {
    killed,
    endless: of('Timeout').length,
    survived,
    uncovered: of('NoCoverage'),
    equivalent: lived.length - survived.length,
    percent: judged === 0 ? 0 : (killed / judged) * 100,
  };
}
