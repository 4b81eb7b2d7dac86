import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Ranges that ipaddr.js calls unicast and that no public web server has. */
const EXTRA_BLOCKED_V4 = ['168.63.129.16/32'].map((range) => ipaddr.IPv4.parseCIDR(range));

const EXTRA_BLOCKED_V6 = [
  '::/96', // IPv4-compatible, e.g. ::7f00:1
  '2001::/23', // IETF protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 carries any IPv4
  '3fff::/20', // documentation
  '2620:4f:8000::/48', // AS112
].map((range) => ipaddr.IPv6.parseCIDR(range));

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True when the address is one that a public web server can have. Everything else (private, loopback, link-local, shared,
 * documentation, tunnels that carry another address, metadata services) is false, and so is text that is no address.
 * A NAT64 address is judged by the IPv4 address inside it: behind DNS64 it is how a public host is reached.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return isPublicV4(ipaddr.IPv4.parse(address));
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.match(NAT64)) return isPublicV4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return (
    parsed.match(GLOBAL_UNICAST_V6) &&
    parsed.range() === 'unicast' &&
    !EXTRA_BLOCKED_V6.some((range) => parsed.match(range))
  );
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !EXTRA_BLOCKED_V4.some((range) => address.match(range));
}
