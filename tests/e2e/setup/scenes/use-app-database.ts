import { afterAll, beforeAll, inject } from 'vitest';
import { reachDatabase } from './reach.ts';

/** Keeps a connection to the database of the served app open for a test file, so that its uses share it. */
export function useAppDatabase(): void {
  let held: Awaited<ReturnType<typeof reachDatabase>> | undefined;
  beforeAll(async () => {
    held = await reachDatabase(inject('app'));
  });
  afterAll(() => held?.release());
}
