import type { TestProject } from 'vitest/node';
import { type ServedApp, serveApp } from './serve.ts';

export type { ServedApp };

declare module 'vitest' {
  export interface ProvidedContext {
    app: ServedApp;
  }
}

/** Vitest asks each of the three browser projects, and reads this module for each: what is served once is known to the process. */
const run = globalThis as { atelierServed?: ReturnType<typeof serveApp>; atelierServedTo?: number };

/** Once per run: one served app for every browser test, stopped after the last project that it was given to. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.atelierServedTo = (run.atelierServedTo ?? 0) + 1;
  run.atelierServed ??= serveApp();
  const { stop, ...app } = await run.atelierServed;
  project.provide('app', app);
  return async () => {
    run.atelierServedTo = (run.atelierServedTo ?? 1) - 1;
    if (run.atelierServedTo === 0) await stop();
  };
}
