import type { TestProject } from 'vitest/node';
import { type ServedApp, serveApp } from './serve.ts';

export type { ServedApp };

declare module 'vitest' {
  export interface ProvidedContext {
    app: ServedApp;
  }
}

/** Once per run: one served app for every browser test. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...app } = await serveApp();
  project.provide('app', app);
  return stop;
}
