import type { TestProject } from 'vitest/node';
import { type ServedApp, serveApp } from './serve.ts';

export type { ServedApp };

declare module 'vitest' {
  export interface ProvidedContext {
    app: ServedApp;
  }
}

/** Vitest loads this module once for each of the three browser projects, so that the served app is kept on the process. */
const run = globalThis as { atelierServed?: ReturnType<typeof serveApp>; atelierServedTo?: number };

/** Serves one app for all browser tests of a run. It is stopped after the last project that uses it. */
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
