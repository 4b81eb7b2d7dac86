import { ServiceError } from '#lib/core/errors.ts';
import { MICROS_PER_USD, type Micros } from '#lib/core/money.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';

/** The largest single grant: a larger one is taken for a typing error. */
const MAX_GRANT_MICROS = 1_000_000n * MICROS_PER_USD;
const MAX_NOTE = 200;

export type Grant = { amountMicros: Micros; note: string | null; idempotencyKey?: string };

/** A grant as it was typed, with its note trimmed. Errors: `invalid` naming the field. */
export function checkedGrant<T extends { amountMicros: Micros; note?: string }>(input: T) {
  const note = input.note?.trim() || null;
  const problems = [];
  if (input.amountMicros <= 0n || input.amountMicros > MAX_GRANT_MICROS)
    problems.push({
      field: 'amountUsd',
      message: 'Le crédit doit être compris entre 0 et 1\u00a0000\u00a0000\u00a0$US.',
    });
  if (note && note.length > MAX_NOTE)
    problems.push({ field: 'note', message: `La note compte au plus ${MAX_NOTE} caractères.` });
  if (problems.length > 0) throw new ServiceError('invalid', { problems });
  return { ...input, note };
}

/**
 * Writes a grant once per key: returns what the key wrote before, else calls `write`, else (two identical requests at once) returns what the
 * other has just written. Errors: `idempotency_conflict` when the key was used for another amount or note.
 */
export async function onceByKey<Granted, Line extends { amountMicros: Micros; note: string | null }>(
  given: Grant,
  steps: {
    find: (idempotencyKey: string) => Promise<Line | undefined>;
    write: () => Promise<Granted>;
    replay: (line: Line) => Granted;
  },
): Promise<Granted> {
  const { idempotencyKey } = given;
  if (idempotencyKey === undefined) return steps.write();
  const earlier = async () => {
    const line = await steps.find(idempotencyKey);
    if (!line) return undefined;
    if (line.amountMicros !== given.amountMicros || line.note !== given.note)
      throw new ServiceError('idempotency_conflict');
    return steps.replay(line);
  };
  const same = await earlier();
  if (same) return same;
  try {
    return await steps.write();
  } catch (error) {
    // A request sent twice can be refused because its first copy has just given the remaining credit.
    const mayBeSame = error instanceof ServiceError || isUniqueViolation(error);
    if (!mayBeSame) throw error;
    const first = await earlier();
    if (!first) throw error;
    return first;
  }
}
