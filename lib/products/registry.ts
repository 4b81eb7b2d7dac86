import { CATALOGUE } from './catalogue.ts';
import { FREE_PRODUCT, type Product, type ProductFile } from './types.ts';
import { registryFaults } from './validate.ts';

export { DEMO_ACCOUNT_ID } from './demonstration.ts';

/** The products of a catalogue: account and identifier are those of each file's place. */
export function productsIn(catalogue: Readonly<Record<string, ProductFile>>): Product[] {
  return Object.entries(catalogue).map(([place, file]) => {
    const [accountId = '', id = ''] = place.split('/');
    return { id, accountId, ...file };
  });
}

/** Every product of every account. */
export const PRODUCTS: readonly Product[] = productsIn(CATALOGUE);

const faults = registryFaults(PRODUCTS);
if (faults.length > 0) throw new Error(`The product registry is not valid:\n${faults.join('\n')}`);

/** The products of an account, in the order of the registry; the free product is not among them. */
export function productsOf(accountId: string): readonly Product[] {
  return PRODUCTS.filter((product) => product.accountId === accountId);
}

/** A product of this account, the free one (open to all), or undefined: another account's answers like a missing one. */
export function findProduct(accountId: string, productId: string): Product | undefined {
  if (productId === FREE_PRODUCT)
    return { id: FREE_PRODUCT, name: 'Libre', accountId, references: { shopDomains: [] } };
  return PRODUCTS.find((product) => product.id === productId && product.accountId === accountId);
}

/** Whether an id belongs to a product of any account: what a purge refuses. */
export function isRegistered(productId: string): boolean {
  return PRODUCTS.some((product) => product.id === productId);
}
