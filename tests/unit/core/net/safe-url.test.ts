import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { isPublicAddress } from '#lib/core/net/public-address.ts';
import { parseSafeUrl, type UrlPolicy } from '#lib/core/net/safe-url.ts';

function reasonFor(address: string, policy?: UrlPolicy): string {
  try {
    parseSafeUrl(address, policy);
    return 'accepted';
  } catch (error) {
    if (error instanceof FetchRefusal) return error.reason;
    throw error;
  }
}

describe('an address to fetch', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://127.0.1/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0X7F.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://１２７.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://a.localhost/',
    'https://metadata/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://example.com./',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:@example.com:1/',
    'https://example.com:8443/',
    'https://example.com:80/',
    'https://example.com:22/',
  ])('never names a machine by number, a private name, a login or an odd port: %s', (address) => {
    expect(reasonFor(address)).toBe('host-not-allowed');
  });

  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,a',
    'javascript:1',
    'gopher://example.com/',
    'blob:https://example.com/1',
  ])('is https and nothing else: %s', (address) => {
    expect(reasonFor(address)).toBe('not-https');
  });

  test.each([
    '',
    'example.com',
    '//example.com',
    'https://',
    'https://[::1',
    'https://exam ple.com/',
    'https://example.com\\@evil.example/',
    'https://example.com/\n',
    '\thttps://example.com',
    `https://example.com/${'a'.repeat(5000)}`,
    'https://[fe80::1%25eth0]/',
    'https://127.0.0.1.256/',
  ])('is one address that every parser reads alike: %s', (address) => {
    expect(reasonFor(address)).toBe('unreadable');
  });

  test('is accepted on an exact host, in any case, with port 443 written or not', () => {
    const policy = { hosts: ['shop.example.com'] };
    expect(reasonFor('https://shop.example.com/a?b#c', policy)).toBe('accepted');
    expect(reasonFor('HTTPS://SHOP.example.com:443/a', policy)).toBe('accepted');
    expect(parseSafeUrl('https://shop.example.com/a?b#c', policy).href).toBe('https://shop.example.com/a?b');
  });

  test.each([
    'https://example.com/',
    'https://evil-shop.example.com/',
    'https://shop.example.com.evil.example/',
    'https://a.shop.example.com/',
    'https://shop.example.com@evil.example/',
  ])('is refused on a host that merely resembles one of the list: %s', (address) => {
    expect(reasonFor(address, { hosts: ['shop.example.com'] })).toBe('host-not-allowed');
  });

  test('can be limited to a folder, which dots cannot climb out of', () => {
    const policy = { permits: (url: URL) => url.pathname.startsWith('/products/p1/') };
    expect(reasonFor('https://files.example.com/products/p1/a.png', policy)).toBe('accepted');
    expect(reasonFor('https://files.example.com/products/p1/../p2/a.png', policy)).toBe('host-not-allowed');
    expect(reasonFor('https://files.example.com/products/p1/%2e%2e/p2/a.png', policy)).toBe(
      'host-not-allowed',
    );
  });

  test('whatever the spelling of an IPv4 literal, it is refused', () => {
    const octet = fc.nat(255);
    const spelling = fc.constantFrom(
      (value: number) => String(value),
      (value: number) => `0x${value.toString(16)}`,
      (value: number) => `0${value.toString(8)}`,
    );
    fc.assert(
      fc.property(
        octet,
        octet,
        octet,
        octet,
        spelling,
        fc.nat(3),
        fc.boolean(),
        (a, b, c, d, spell, parts, dot) => {
          const tail = [
            [(a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) >>> 0],
            [a, b * 2 ** 16 + c * 2 ** 8 + d],
            [a, b, c * 2 ** 8 + d],
            [a, b, c, d],
          ][parts]!;
          expect(reasonFor(`https://${tail.map(spell).join('.')}${dot ? '.' : ''}/`)).toBe(
            'host-not-allowed',
          );
        },
      ),
    );
  });
});

describe('a resolved address', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '::',
    '::1',
    '::7f00:1',
    '::808:808',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::808:808',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:3::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'example.com',
    '127.1',
    '0x7f000001',
    '8.8.8.8.',
    ' 8.8.8.8',
    '08.8.8.8',
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '76.76.21.21',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '198.17.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4007::1',
    '2001:4860:4860::8888',
    '64:ff9b::808:808',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});
