import { describe, expect, it } from 'vitest';
import { networkOf } from '#lib/http/requests/network.ts';

const asks = (headers: Record<string, string>, trust: { hops: number; onVercel?: boolean }) =>
  networkOf(new Headers(headers), { onVercel: false, ...trust });

describe('the network of a caller', () => {
  const PEER = { 'x-atelier-peer': '198.51.100.7' };

  it('is that of the connection, whatever a caller writes, when no proxy is trusted', () => {
    for (const forged of [
      { 'x-forwarded-for': '203.0.113.1' },
      { 'x-forwarded-for': '203.0.113.1, 203.0.113.2' },
      { 'x-real-ip': '203.0.113.1' },
      { 'x-vercel-forwarded-for': '203.0.113.1' },
      { forwarded: 'for=203.0.113.1' },
    ])
      expect(asks({ ...PEER, ...(forged as object) }, { hops: 0 })).toBe('198.51.100.7');
    expect(asks({ 'x-forwarded-for': '203.0.113.1' }, { hops: 0 })).toBe('');
  });

  it('is what the outermost trusted proxy saw: nothing that came before it is believed', () => {
    const chain = '6.6.6.6, 203.0.113.1, 203.0.113.2';
    expect(asks({ ...PEER, 'x-forwarded-for': chain }, { hops: 1 })).toBe('203.0.113.2');
    expect(asks({ ...PEER, 'x-forwarded-for': chain }, { hops: 2 })).toBe('203.0.113.1');
    expect(asks({ ...PEER, 'x-forwarded-for': '203.0.113.1' }, { hops: 3 })).toBe('203.0.113.1');
    expect(asks(PEER, { hops: 1 })).toBe('198.51.100.7');
  });

  it('is the address alone where a proxy writes the port beside it: its callers stay apart, and a forged one counts for nothing', () => {
    const of = (forwarded: string) => asks({ ...PEER, 'x-forwarded-for': forwarded }, { hops: 1 });
    expect(of('6.6.6.6, 203.0.113.1:51324')).toBe('203.0.113.1');
    expect(of('203.0.113.2:443')).toBe('203.0.113.2');
    expect(of('[2001:db8:1:2:aaaa::1]:51324')).toBe(of('2001:db8:1:2:bbbb::2'));
    expect(of('[2001:db8:1:3::1]')).toBe('2001:db8:1:3::/64');
    for (const none of ['203.0.113.1:', '203.0.113.1:x', '[]:1', '[203.0.113.1']) expect(of(none)).toBe('');
  });

  it('is the platform’s own header on Vercel', () => {
    const headers = {
      ...PEER,
      'x-forwarded-for': '6.6.6.6, 6.6.6.7',
      'x-vercel-forwarded-for': '203.0.113.9',
    };
    expect(asks(headers, { hops: 0, onVercel: true })).toBe('203.0.113.9');
    expect(asks({ 'x-forwarded-for': '6.6.6.6' }, { hops: 1, onVercel: true })).toBe('');
  });

  it('sees one IPv6 subscriber as one, and no address in what is none', () => {
    const of = (peer: string) => asks({ 'x-atelier-peer': peer }, { hops: 0 });
    expect(of('2001:db8:1:2:aaaa::1')).toBe(of('2001:db8:1:2:bbbb::2'));
    expect(of('::ffff:203.0.113.9')).toBe('203.0.113.9');
    expect(of('not-an-address')).toBe('');
  });
});
