import ipaddr from 'ipaddr.js';
import { env } from '#lib/core/env.ts';
import { PEER_HEADER } from './peer.ts';

type Headers = { get(name: string): string | null };

/** Which headers may say where a request comes from. */
type ProxyTrust = {
  /** Proxies of ours before the service, the nearest one included: each appends to `x-forwarded-for` whom it was asked by. */
  hops: number;
  /** The platform writes a header of its own, which no caller can set. */
  onVercel: boolean;
};

/**
 * Where a request comes from, for throttling and for the list of sessions: an IPv4 address, or the /64 of an IPv6 one
 * (one subscriber holds a whole /64). Empty when unknown. Callers write whatever they like before the first trusted proxy, and nothing of it is read.
 */
export function networkOf(headers: Headers, trust: ProxyTrust = configuredTrust()): string {
  const text = trust.onVercel ? headers.get('x-vercel-forwarded-for') : outermostTrusted(headers, trust.hops);
  const given = text && withoutPort(text.trim());
  if (!given || !ipaddr.isValid(given)) return '';
  const address = ipaddr.process(given);
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/**
 * Some proxies write the port beside the address (`203.0.113.7:51324`, `[2001:db8::1]:51324`). Unparsed, all their callers would count as one
 * network, and any of them could use up the limits of all.
 */
function withoutPort(text: string): string {
  const [, six, four] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/.exec(text) ?? [];
  return six ?? four ?? text;
}

function configuredTrust(): ProxyTrust {
  const { TRUSTED_PROXY_HOPS, VERCEL } = env();
  return { hops: TRUSTED_PROXY_HOPS, onVercel: VERCEL !== undefined };
}

/** Whom the outermost trusted proxy was asked by; the connection itself when none is trusted. */
function outermostTrusted(headers: Headers, hops: number): string | undefined {
  const forwarded = headers.get('x-forwarded-for')?.split(',').reverse() ?? [];
  const chain = [headers.get(PEER_HEADER) ?? '', ...forwarded];
  return chain[Math.min(hops, chain.length - 1)];
}
