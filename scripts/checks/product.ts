import '../env-file.ts';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { readOptions } from '#lib/local/options.ts';
import { serviceEnvOnThisMachine } from '#lib/local/services/open-services.ts';
import { listedPlaces, PRODUCT_FILES } from '#lib/products/product-files.ts';
import { catalogueSource } from '#lib/products/proposals/product-source.ts';

// npm run product -- check: the products of real accounts, each file and all together; with DATABASE_URL set, against its accounts too.
// npm run product -- catalogue: writes lib/products/catalogue.ts, one line a file of lib/products/accounts.
const USAGE = 'npm run product -- check | catalogue';
const { positionals } = readOptions(USAGE, { options: {}, allowPositionals: true });
const command = positionals.join(' ');
if (command === 'catalogue') await writeCatalogue();
else if (command === 'check') await check();
else {
  console.error(`Usage: ${USAGE}`);
  process.exitCode = 2;
}

/** The list is read as text: as a module it would import files that are gone. */
async function writeCatalogue(): Promise<void> {
  const file = path.join(PRODUCT_FILES, '../catalogue.ts');
  const listed = [...(await readFile(file, 'utf8')).matchAll(/^ {2}'([^']+)':/gm)].map(
    ([, place = '']) => place,
  );
  const places = await listedPlaces(listed);
  await writeFile(file, catalogueSource(places));
  console.log(`✓ ${places.length} products in lib/products/catalogue.ts`);
}

async function check(): Promise<void> {
  const { catalogueFaults, deploymentFaults } = await import('#lib/products/check.ts');
  const { CATALOGUE } = await import('#lib/products/catalogue.ts');
  const { PRODUCTS } = await import('#lib/products/registry.ts');
  const faults = await catalogueFaults(CATALOGUE);
  const url = process.env.DATABASE_URL?.trim();
  if (url) {
    const connection = connect({ url, poolMax: 1, preparedStatements: preparedBy(process.env) });
    const accounts = await connection.db.account.findMany({
      select: { id: true },
      where: { erasedAt: null },
    });
    await connection.close();
    const isProduction = serviceEnvOnThisMachine() === 'production';
    faults.push(...deploymentFaults(PRODUCTS, accounts, { isProduction }));
  }
  for (const fault of faults) console.error(`✗ ${fault}`);
  const accounts = new Set(PRODUCTS.map(({ accountId }) => accountId)).size;
  if (faults.length === 0)
    console.log(
      `✓ ${PRODUCTS.length} products of ${accounts} account(s)${url ? ', compared with the accounts of DATABASE_URL' : ''}`,
    );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
