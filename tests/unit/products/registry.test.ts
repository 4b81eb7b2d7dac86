import { describe, expect, it } from 'vitest';
import { VARIABLES } from '#lib/core/env.ts';
import { createId } from '#lib/core/ids.ts';
import { CATALOGUE } from '#lib/products/catalogue.ts';
import { DEMO_ACCOUNT_ID, findProduct, isRegistered, PRODUCTS, productsOf } from '#lib/products/registry.ts';
import type { Product } from '#lib/products/types.ts';
import { registryFaults } from '#lib/products/validate.ts';

const good: Product = {
  id: 'savon-noir',
  name: 'Savon noir',
  accountId: DEMO_ACCOUNT_ID,
  references: { shopDomains: ['shop.example.com'] },
  brand: { tone: 'Simple', promises: ['Sans huile de palme'] },
};
const domains = (...shopDomains: string[]): Product => ({ ...good, references: { shopDomains } });

describe('the product registry', () => {
  it('is valid as it stands, at build and at load', () => {
    expect(registryFaults(productsOf(DEMO_ACCOUNT_ID))).toEqual([]);
    expect(productsOf(DEMO_ACCOUNT_ID).length).toBeGreaterThanOrEqual(3);
  });

  it('is the files of the catalogue and nothing else: no variable of the service names a product', () => {
    expect(PRODUCTS.map(({ accountId, id }) => `${accountId}/${id}`)).toEqual(Object.keys(CATALOGUE));
    expect(VARIABLES.filter((name) => /PRODUCT|CATALOG|REGISTRY|BRAND|SHOP/.test(name))).toEqual([]);
  });

  it.each<[string, Product]>([
    ['more than 10', domains(...Array.from({ length: 11 }, (_, i) => `s${i}.example.com`))],
    ['wildcard', domains('*.example.com')],
    ['not lowercase', domains('Shop.example.com')],
    ['shared image CDN', domains('cdn.shopify.com')],
    ['file store', domains('abc.public.blob.vercel-storage.com')],
    ['file store', domains('maison.s3.eu-west-3.amazonaws.com')],
    ['file store', domains('maison.r2.cloudflarestorage.com')],
    ['file store', domains('s3.fr-par.scw.cloud')],
    ['not a host', domains('localhost')],
    ['not a host', domains('shop.example.com/path')],
    ['not a host', domains('https://shop.example.com')],
    ['is an address', domains('127.0.0.1')],
    ['a host twice', domains('a.example.com', 'a.example.com')],
    ['brand.tone', { ...good, brand: { tone: 'x'.repeat(301) } }],
    ['more than 12', { ...good, brand: { promises: Array.from({ length: 13 }, () => 'x') } }],
    ['1 to 200', { ...good, brand: { promises: ['x'.repeat(201)] } }],
    [
      'a word twice',
      {
        ...good,
        brand: {
          pronunciations: [
            { written: 'a', spoken: 'b' },
            { written: 'a', spoken: 'c' },
          ],
        },
      },
    ],
    [
      'more than 50',
      {
        ...good,
        brand: { pronunciations: Array.from({ length: 51 }, (_, i) => ({ written: `m${i}`, spoken: 'x' })) },
      },
    ],
    ['not a word', { ...good, brand: { pronunciations: [{ written: '<break>', spoken: 'x' }] } }],
    ['not a word', { ...good, brand: { pronunciations: [{ written: 'x', spoken: '' }] } }],
    ['line break', { ...good, name: 'Savon\nnoir' }],
    ['free product', { ...good, id: 'libre' }],
    ['lowercase letters', { ...good, id: '../x' }],
    ['account id', { ...good, accountId: 'Maison' }],
    ['#rrggbb', { ...good, brand: { colours: { ink: 'red' } } }],
  ])('refuses a product whose fault is « %s »', (fault, product) => {
    expect(registryFaults([product]).join('\n')).toContain(fault);
  });

  it('accepts every bound itself', () => {
    const edge = {
      ...domains(...Array.from({ length: 10 }, (_, i) => `s${i}.example.com`)),
      brand: { tone: 'x'.repeat(300), promises: Array.from({ length: 12 }, () => 'y'.repeat(200)) },
    };
    expect(registryFaults([good, { ...edge, id: 'autre' }])).toEqual([]);
    expect(registryFaults([good, good])).toEqual(['savon-noir: id: declared twice']);
  });

  it('shows a product to the account that owns it and to no other', () => {
    const stranger = createId('account');
    expect(findProduct(DEMO_ACCOUNT_ID, 'lumen-bougies')?.name).toBe('Bougies Maison Lumen');
    expect(findProduct(stranger, 'lumen-bougies')).toBeUndefined();
    expect(findProduct(stranger, 'libre')).toMatchObject({ id: 'libre', references: { shopDomains: [] } });
    expect(isRegistered('lumen-bougies')).toBe(true);
    expect(isRegistered('libre')).toBe(false);
  });
});
