import { afterAll, beforeAll, inject } from 'vitest';
import { reachDatabase } from './reach.ts';

/** Holds the database of the served app for a test file that reaches for it in many places: they share the connection. */
export function useAppDatabase(): void {
  let held: Awaited<ReturnType<typeof reachDatabase>> | undefined;
  beforeAll(async () => {
    held = await reachDatabase(inject('app'));
  });
  afterAll(() => held?.release());
}
