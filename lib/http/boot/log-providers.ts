import type { Env } from '#lib/core/env.ts';
import { type Logger, stdoutLogger } from '#lib/core/log.ts';
import { describeProviders } from '#lib/providers/wiring/describe-providers.ts';

/** At boot: a line for each live service that lacks something, with the names of what it lacks, and one for those that are not served. */
export function logIncompleteProviders(env: Env, log: Logger = stdoutLogger): void {
  const states = describeProviders(env);
  for (const { service, missing } of states)
    if (missing.length > 0) log.warn('providers.incomplete', { service, missing });
  const absent = states.filter(({ mode }) => mode === 'absent').map(({ service }) => service);
  if (absent.length > 0) log.warn('providers.absent', { services: absent });
}
