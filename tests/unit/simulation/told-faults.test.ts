import { expect, it } from 'vitest';
import { toldFaults } from '#tests/simulation/faults-found.ts';

const said = (action: string, costMicros: string | null = null) => ({
  action: `generation.${action}`,
  costMicros,
});
const faultsOf = (settled: string | null, ...told: ReturnType<typeof said>[]) =>
  toldFaults({ settled, told });

it('an end that is told once, at the figure that was debited, is no fault, whoever wrote the debit', () => {
  expect(faultsOf('30', said('completed', '30'))).toEqual([]);
  expect(faultsOf('30', said('close_pending', '30'), said('reconciled', '30'))).toEqual([]);
  // The pending amount was that of another closer, and was not debited.
  expect(faultsOf('30', said('settle_pending', '31'), said('reconciled', '30'))).toEqual([]);
  expect(faultsOf(null, said('failed'), said('late_look'), said('paid_not_delivered'))).toEqual([]);
});

it('another figure than the ledger’s, an end that is told twice or never, and a loss that is told twice are faults', () => {
  expect(faultsOf('30', said('close_pending', '30'), said('completed', '31'))).toEqual([
    'generation.completed tells 31, debited 30',
  ]);
  expect(faultsOf('30', said('reconciled', '30'), said('close_pending', '31'))).toEqual([
    'generation.close_pending tells 31, debited 30',
  ]);
  expect(faultsOf(null, said('failed'), said('close_pending', '31'))).toEqual([
    'generation.close_pending tells 31, debited null',
  ]);
  expect(faultsOf('30', said('completed', '30'), said('completed', '30'))).toEqual([
    'its end is told 2 times',
  ]);
  expect(faultsOf(null)).toEqual(['its end is told 0 times']);
  const losses = [said('late_look'), said('paid_not_delivered')];
  expect(faultsOf(null, said('failed'), ...losses, ...losses)).toEqual([
    'generation.late_look is told 2 times',
    'generation.paid_not_delivered is told 2 times',
  ]);
});
