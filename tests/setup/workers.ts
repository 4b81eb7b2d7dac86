import { availableParallelism } from 'node:os';

/**
 * Test files at a time, of `unit` and `service` together: Vitest refuses two numbers for what it runs side by side. More than the
 * cores, because a test on PostgreSQL waits for it, and for the browser's half beside it.
 */
export const WORKERS = Math.ceil(availableParallelism() * 1.5);
