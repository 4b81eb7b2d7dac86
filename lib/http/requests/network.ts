import ipaddr from 'ipaddr.js';

type Headers = { get(name: string): string | null };

/**
 * Where a request comes from, for throttling and for the list of sessions: an IPv4 address, or the /64 of an IPv6 one
 * (one subscriber holds a whole /64). The entry nearest to us is the one our own proxy wrote. Empty when unknown.
 */
export function networkOf(headers: Headers): string {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  const text = forwarded || headers.get('x-real-ip')?.trim() || '';
  if (!ipaddr.isValid(text)) return '';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}
