import { isId } from '#lib/core/ids.ts';
import { DEMO_ACCOUNT_ID } from './demonstration.ts';
import { filesIn, PRODUCT_FILES } from './product-files.ts';
import { productsIn } from './registry.ts';
import type { Product, ProductFile } from './types.ts';
import { faultLine, mergeFaults } from './validate.ts';

/** Every fault of a catalogue and of the files that it should hold, one line each, naming file and field; empty when it may be merged. */
export async function catalogueFaults(
  catalogue: Readonly<Record<string, ProductFile>>,
  folder: string = PRODUCT_FILES,
): Promise<string[]> {
  const found = await filesIn(folder);
  const faults: string[] = [];
  for (const file of found) {
    const [account = '', name = '', ...more] = file.split('/');
    const key = `${account}/${name.replace(/\.ts$/, '')}`;
    if (more.length > 0 || !name.endsWith('.ts') || !isId('account', account))
      faults.push(`${file}: a product lies in <account identifier>/<product>.ts, and nothing else does`);
    else if (!(key in catalogue))
      faults.push(`${file}: is not in lib/products/catalogue.ts: npm run product -- catalogue writes it`);
  }
  for (const key of Object.keys(catalogue))
    if (!found.includes(`${key}.ts`))
      faults.push(`${key}: is in lib/products/catalogue.ts, and there is no such file`);
  const products = productsIn(catalogue);
  return [...faults, ...mergeFaults(products).map(faultLine)];
}

/**
 * What is wrong between the registry and the accounts of a database, one line each: products of an account that is not there, and in
 * production the demonstration account, whose products would then be served.
 */
export function deploymentFaults(
  products: readonly Product[],
  accounts: readonly { id: string }[],
  options: { isProduction: boolean },
): string[] {
  const there = new Set(accounts.map(({ id }) => id));
  const owners = new Set(products.map(({ accountId }) => accountId).filter((id) => id !== DEMO_ACCOUNT_ID));
  return [
    ...(options.isProduction && there.has(DEMO_ACCOUNT_ID)
      ? [
          `${DEMO_ACCOUNT_ID}: the demonstration account is in this production database: close it, and its products with it`,
        ]
      : []),
    ...[...owners]
      .filter((id) => !there.has(id))
      .map((id) => `${id}: has products, and this database has no such account`),
  ];
}
