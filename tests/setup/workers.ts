import { availableParallelism } from 'node:os';

/**
 * How many test files run at a time, of `unit` and `service` together, because Vitest accepts one number for projects that run side by side. More
 * than the cores, because tests wait for PostgreSQL.
 */
export const WORKERS = Math.ceil(availableParallelism() * 1.5);
