import { env } from '#lib/core/env.ts';

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Names under which this service answers: the one of its public address, and those of this machine outside production. Any
 * other `Host` means that a stranger's name was pointed here (DNS rebinding).
 */
export function ownHostnames(): string[] {
  const { SERVICE_PUBLIC_URL, isProduction } = env();
  const own = SERVICE_PUBLIC_URL ? [new URL(SERVICE_PUBLIC_URL).hostname] : [];
  return isProduction ? own : [...own, ...THIS_MACHINE];
}
