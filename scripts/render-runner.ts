/**
 * Entry point of the outside runner: the GitHub workflow and the embedded runner both execute this file. The inputs are read
 * from the event's file, never from the command line or the environment, which the CI prints.
 */
import { readFile } from 'node:fs/promises';
import { runRender } from '#lib/studio/renders/render-run.ts';

const eventPath = process.env.GITHUB_EVENT_PATH;
const event: unknown = eventPath ? JSON.parse(await readFile(eventPath, 'utf8')) : {};

process.exitCode = await runRender({
  inputs: (event as { inputs?: unknown }).inputs,
  runId: process.env.GITHUB_RUN_ID ?? '',
  runAttempt: process.env.GITHUB_RUN_ATTEMPT ?? '1',
  callbackSecret: process.env.CALLBACK_SECRET,
  fetch: globalThis.fetch,
  now: () => new Date(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  log: (event, fields = {}) =>
    console.log(JSON.stringify({ at: new Date().toISOString(), event, ...fields })),
});
