import './env-file.ts';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { readOptions } from '#lib/local/options.ts';
import { serviceEnvOnThisMachine } from '#lib/local/services/open-services.ts';
import { CATALOGUE } from '#lib/products/catalogue.ts';
import { catalogueFaults, deploymentFaults } from '#lib/products/check.ts';
import { PRODUCTS } from '#lib/products/registry.ts';

// npm run product -- check: the products of real accounts, each file and all together; with DATABASE_URL set, against its accounts too.
const USAGE = 'npm run product -- check';
const { positionals } = readOptions(USAGE, { options: {}, allowPositionals: true });
if (positionals.join(' ') !== 'check') {
  console.error(`Usage: ${USAGE}`);
  process.exit(2);
}
const faults = await catalogueFaults(CATALOGUE);
const url = process.env.DATABASE_URL?.trim();
if (url) {
  const connection = connect({ url, poolMax: 1, preparedStatements: preparedBy(process.env) });
  const accounts = await connection.db.account.findMany({ select: { id: true }, where: { erasedAt: null } });
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
