import type { DemoAccess } from './state.ts';

/**
 * Makes the demonstration account, once: called at each start, it must find its own earlier work and leave it alone.
 * `before` is what it returned last time on this data folder; the database may have been emptied or replaced since.
 */
export async function seedDemonstration(input: {
  databaseUrl: string;
  before: DemoAccess | undefined;
  now: Date;
}): Promise<DemoAccess | undefined> {
  return input.before;
}
