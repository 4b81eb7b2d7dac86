import type { TestProject } from 'vitest/node';
import { startTestServer, type TestServer } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: TestServer;
  }
}

/** Once per `vitest run`: starts the PostgreSQL server and its template database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { release, ...server } = await startTestServer();
  project.provide('testServer', server);
  return release;
}
