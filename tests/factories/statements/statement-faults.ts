import type { StatementLine } from '#lib/ledger/reads/read-statement.ts';

type Read = Pick<
  StatementLine,
  'id' | 'kind' | 'amountMicros' | 'heldMicros' | 'balanceAfterMicros' | 'heldAfterMicros'
>;

/** What a person who reads a statement from its first line to its last finds that does not follow from the line above. */
export function statementFaults(
  lines: readonly Read[],
  opening: { balanceMicros: bigint; heldMicros: bigint } = { balanceMicros: 0n, heldMicros: 0n },
): string[] {
  const faults: string[] = [];
  let { balanceMicros, heldMicros } = opening;
  for (const [index, line] of lines.entries()) {
    const balance = balanceMicros + line.amountMicros;
    const held = heldMicros + line.heldMicros;
    if (balance !== line.balanceAfterMicros || held !== line.heldAfterMicros)
      faults.push(
        `line ${index + 1} (${line.kind}): ${balance} and ${held} held follow, ${line.balanceAfterMicros} and ${line.heldAfterMicros} are written`,
      );
    ({ balanceAfterMicros: balanceMicros, heldAfterMicros: heldMicros } = line);
  }
  return faults;
}
