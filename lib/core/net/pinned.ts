import { buildConnector } from 'undici';
import { FetchRefusal } from './fetch-refusal.ts';
import { isPublicAddress } from './public-address.ts';
import { type Resolve, type ResolvedAddress, resolveHost } from './resolve-host.ts';

export type PinOptions = {
  resolve?: Resolve;
  /** Tests only: loopback addresses treated as public, and the authority that signed their certificates. */
  testTrust?: { addresses: readonly string[]; ca: string };
};

/** The addresses of a name, when every one of them is public; else a `FetchRefusal`. */
export async function checkedAddresses(
  hostname: string,
  options: PinOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const resolve = options.resolve ?? resolveHost;
  const addresses = await abortable(resolve(hostname, signal), signal);
  if (addresses.length === 0) throw new FetchRefusal('unreadable', { detail: 'dns' });
  const trusted = options.testTrust?.addresses ?? [];
  // One private answer among public ones is refused: the connection could pick it.
  if (!addresses.every(({ address }) => isPublicAddress(address) || trusted.includes(address))) {
    throw new FetchRefusal('private-address');
  }
  return addresses;
}

/** Connects by name, so that TLS checks the name, but only ever to the given addresses. */
export function pinnedConnector(
  addresses: readonly ResolvedAddress[],
  options: PinOptions & { timeoutMs: number },
  signal: AbortSignal,
) {
  const ca = options.testTrust?.ca;
  const connect = buildConnector({
    allowH2: false,
    timeout: options.timeoutMs,
    maxCachedSessions: 0,
    signal,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    lookup: (_hostname, { all }, callback) => {
      const first = addresses[0]!;
      if (all) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    },
  });
  return (target: buildConnector.Options, callback: buildConnector.Callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      // Should the lookup ever be bypassed, the connection itself still tells where it went.
      if (!addresses.some(({ address }) => sameAddress(address, socket.remoteAddress))) {
        socket.destroy();
        return callback(new FetchRefusal('private-address', { detail: 'connected-elsewhere' }), null);
      }
      callback(null, socket);
    });
  };
}

function sameAddress(checked: string, connected: string | undefined): boolean {
  if (connected === undefined) return false;
  return canonical(checked) === canonical(connected);
}

function canonical(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname : address;
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((fulfil, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(fulfil, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What went wrong on the way, as a refusal. */
export function translate(error: unknown): FetchRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E(NOTFOUND|AI_)/.test(code)) return new FetchRefusal('unreadable', { detail: 'dns', cause: error });
  if (/CERT|TLS|SSL|SIGNATURE/.test(code))
    return new FetchRefusal('unreadable', { detail: 'tls', cause: error });
  return new FetchRefusal('unreadable', { detail: 'connection', cause: error });
}
