import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { CATALOGUE } from '#lib/products/catalogue.ts';
import { catalogueFaults, deploymentFaults } from '#lib/products/check.ts';
import { listedPlaces } from '#lib/products/product-files.ts';
import { DEMO_ACCOUNT_ID, PRODUCTS, productsIn } from '#lib/products/registry.ts';
import type { ProductFile } from '#lib/products/types.ts';

const soap: ProductFile = { name: 'Savon noir', references: { shopDomains: ['www.savonnerie.fr'] } };
const real = createId('account');

async function checked(
  catalogue: Record<string, ProductFile>,
  files = Object.keys(catalogue).map((key) => `${key}.ts`),
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'products-'));
  try {
    for (const file of files) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), '');
    }
    return (await catalogueFaults(catalogue, folder)).join('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the catalogue holds every file and no other, and has no fault', async () => {
  expect(await catalogueFaults(CATALOGUE)).toEqual([]);
});

test('a file that the catalogue lacks, one that it invents, and one at another place are each named', async () => {
  const key = `${real}/savon-noir`;
  expect(await checked({ [key]: soap })).toBe('');
  expect(await checked({}, [`${key}.ts`])).toBe(
    `${key}.ts: is not in lib/products/catalogue.ts: npm run product -- catalogue writes it`,
  );
  expect(await checked({ [key]: soap }, [])).toContain('there is no such file');
  expect(await checked({}, ['savonnerie/savon-noir.ts'])).toContain('<account identifier>/<product>.ts');
  expect(await checked({ [`${real}/Savon`]: soap })).toContain('Savon: id: not 3 to 40 lowercase letters');
  expect(await checked({ [key]: soap, [`${createId('account')}/savon-noir`]: soap })).toContain(
    'declared twice',
  );
});

test('what a file manager hides beside the products is no product, and a file that is none is listed as none', async () => {
  const key = `${real}/savon-noir`;
  expect(await checked({ [key]: soap }, [`${key}.ts`, '.DS_Store', `${real}/.DS_Store`])).toBe('');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'products-'));
  try {
    await mkdir(path.join(folder, real));
    for (const name of ['savon-noir.ts', '.DS_Store', 'notes.txt'])
      await writeFile(path.join(folder, real, name), '');
    expect(await listedPlaces([], folder)).toEqual([key]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a real account gets no demonstration product: not by name, not by host, not by identifier', async () => {
  const [demo] = PRODUCTS.filter(({ accountId }) => accountId === DEMO_ACCOUNT_ID);
  const { id = '', accountId: _, ...file } = demo ?? {};
  const said = await checked({ ...CATALOGUE, [`${real}/${id}`]: file as ProductFile });
  expect(said).toContain(`${id}: id: declared twice`);
  expect(said).toContain(`${id}: name: is that of a demonstration product`);
  expect(said).toContain('is a demonstration');
  const copied = { ...soap, references: { shopDomains: ['boutique.savonnerie.test'] } };
  expect(await checked({ [`${real}/savon-noir`]: copied })).toContain('no shop is there');
});

test('a production database with the demonstration account is refused, and so are products of an account that is not there', () => {
  const products = [...PRODUCTS, ...productsIn({ [`${real}/savon-noir`]: soap })];
  const both = [{ id: DEMO_ACCOUNT_ID }, { id: real }];
  expect(deploymentFaults(products, both, { isProduction: false })).toEqual([]);
  expect(deploymentFaults(products, both, { isProduction: true })).toEqual([
    expect.stringContaining('demonstration account is in this production database'),
  ]);
  expect(deploymentFaults(products, [], { isProduction: true })).toEqual([
    `${real}: has products, and this database has no such account`,
  ]);
});
