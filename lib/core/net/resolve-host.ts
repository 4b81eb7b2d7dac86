import { Resolver } from 'node:dns/promises';
import { FetchRefusal } from './fetch-refusal.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

/** One try, then one of twice as long, for each name server of the system. */
const TIMEOUT_MS = 2_500;
const TRIES = 2;

/**
 * The addresses of a public name, asked of the system's name servers over the network, never through `getaddrinfo`: that one runs in
 * the four threads that files, hashes and pictures share, and a stranger's name server that never answers would hold them all. The
 * hosts file and search domains are not read: they name what is private. Throws `FetchRefusal` (`dns`); aborting ends the questions.
 */
export async function resolveHost(
  hostname: string,
  signal: AbortSignal,
  options: { servers?: readonly string[]; timeoutMs?: number } = {},
): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? TIMEOUT_MS, tries: TRIES });
  if (options.servers) resolver.setServers(options.servers);
  const cancel = () => resolver.cancel();
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (found.length > 0) return found;
    const cause = four.status === 'rejected' ? four.reason : undefined;
    throw new FetchRefusal('unreadable', { detail: 'dns', cause });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
