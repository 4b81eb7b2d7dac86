import type { CallOptions, Transport } from './http/transport.ts';
import type { Generation } from './types.ts';

export type WaitOptions = CallOptions & {
  /** How long to wait in all. 30 minutes unless told. */
  maxWaitMs?: number;
  /** The pause between two reads. 2 s unless told. */
  intervalMs?: number;
  /** Called with every reading, the last one included. */
  onProgress?: (generation: Generation) => void;
};

/** A generation had not ended when `maxWaitMs` had passed. It goes on at the server, and may be waited for again. */
export class AtelierTimeoutError extends Error {
  readonly generation: Generation;

  constructor(generation: Generation, maxWaitMs: number) {
    super(`Generation ${generation.id} is still running after ${maxWaitMs} ms.`);
    this.name = 'AtelierTimeoutError';
    this.generation = generation;
  }
}

/** Reads a generation until it has ended, whether well or not: `status` and `code` say how. */
export async function waitForGeneration(
  transport: Transport,
  id: string,
  { maxWaitMs = 30 * 60_000, intervalMs = 2_000, onProgress, ...options }: WaitOptions,
  operation: 'getGeneration' | 'getStudioGeneration' = 'getGeneration',
): Promise<Generation> {
  const startedMs = performance.now();
  for (let pausedMs = 0; ; pausedMs += intervalMs) {
    const generation = await transport.json<Generation>(operation, { path: { id } }, options);
    onProgress?.(generation);
    if (generation.status !== 'running') return generation;
    // Readings last too: without a pause between them, or on a slow line, they are all of the wait.
    const waitedMs = Math.max(pausedMs, performance.now() - startedMs);
    if (waitedMs >= maxWaitMs) throw new AtelierTimeoutError(generation, maxWaitMs);
    await transport.pause(intervalMs, options.signal);
  }
}
