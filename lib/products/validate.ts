import { isIP } from 'node:net';
import { isId } from '#lib/core/ids.ts';
import { isFileStoreHost, SHARED_IMAGE_CDN } from './shared-hosts.ts';
import { FREE_PRODUCT, type Product } from './types.ts';

const PRODUCT_LIMITS = {
  shopDomains: 10,
  tone: 300,
  promises: 12,
  promise: 200,
  name: 80,
  pronunciations: 50,
  word: 80,
} as const;

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const HEX = /^#[0-9a-f]{6}$/i;

/** Every fault of a registry, one line each, naming the product and the field; empty when it may be used. */
export function registryFaults(products: readonly Product[]): string[] {
  const seen = new Set<string>();
  return products.flatMap((product) => {
    const faults = productFaults(product);
    if (seen.has(product.id)) faults.push(`${product.id}: id: declared twice`);
    seen.add(product.id);
    return faults;
  });
}

function productFaults(product: Product): string[] {
  const faults: string[] = [];
  const fault = (field: string, what: string) => faults.push(`${product.id}: ${field}: ${what}`);
  if (!/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/.test(product.id))
    fault('id', 'not 3 to 40 lowercase letters, digits, hyphens');
  if (product.id === FREE_PRODUCT) fault('id', 'belongs to the free product');
  if (product.name.trim() === '' || product.name.length > PRODUCT_LIMITS.name)
    fault('name', `not 1 to ${PRODUCT_LIMITS.name} characters`);
  if (!isId('account', product.accountId)) fault('accountId', 'not an account id');
  if (product.spaceName !== undefined && product.spaceName.trim() === '') fault('spaceName', 'empty');
  const { shopDomains } = product.references;
  if (shopDomains.length > PRODUCT_LIMITS.shopDomains)
    fault('references.shopDomains', `more than ${PRODUCT_LIMITS.shopDomains}`);
  if (new Set(shopDomains).size !== shopDomains.length) fault('references.shopDomains', 'a host twice');
  for (const host of shopDomains) {
    const problem = hostProblem(host);
    if (problem) fault('references.shopDomains', `«\u00a0${host}\u00a0» ${problem}`);
  }
  const { tone, promises = [], pronunciations = [], colours = {} } = product.brand ?? {};
  if (tone !== undefined && (tone.trim() === '' || tone.length > PRODUCT_LIMITS.tone))
    fault('brand.tone', `not 1 to ${PRODUCT_LIMITS.tone} characters`);
  if (promises.length > PRODUCT_LIMITS.promises)
    fault('brand.promises', `more than ${PRODUCT_LIMITS.promises}`);
  for (const promise of promises)
    if (promise.trim() === '' || promise.length > PRODUCT_LIMITS.promise)
      fault('brand.promises', `one is not 1 to ${PRODUCT_LIMITS.promise} characters`);
  if (pronunciations.length > PRODUCT_LIMITS.pronunciations)
    fault('brand.pronunciations', `more than ${PRODUCT_LIMITS.pronunciations}`);
  if (new Set(pronunciations.map(({ written }) => written)).size !== pronunciations.length)
    fault('brand.pronunciations', 'a word twice');
  for (const { written, spoken } of pronunciations)
    for (const word of [written, spoken])
      if (
        !/^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .’'-]*[\p{L}\p{M}\p{N}])?$/u.test(word) ||
        word.length > PRODUCT_LIMITS.word
      )
        fault(
          'brand.pronunciations',
          `«\u00a0${word}\u00a0» is not a word of 1 to ${PRODUCT_LIMITS.word} letters`,
        );
  for (const [name, value] of Object.entries(colours))
    if (value !== undefined && !HEX.test(value)) fault(`brand.colours.${name}`, 'not a #rrggbb colour');
  return faults;
}

/** Why a host may not be a shop, or undefined. */
function hostProblem(host: string): string | undefined {
  if (host.includes('*')) return 'holds a wildcard';
  if (host !== host.toLowerCase()) return 'is not lowercase';
  if (isIP(host) !== 0) return 'is an address';
  const labels = host.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || host.length > 253)
    return 'is not a host';
  if (/^\d+$/.test(labels.at(-1) ?? '')) return 'is not a host';
  if (host === SHARED_IMAGE_CDN) return 'is the shared image CDN';
  if (isFileStoreHost(host)) return 'is a file store';
  return undefined;
}
