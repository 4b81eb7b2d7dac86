import { isIP } from 'node:net';
import { isId } from '#lib/core/ids.ts';
import { DEMO_ACCOUNT_ID, isReservedHost } from './demonstration.ts';
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
const WORD = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .’'-]*[\p{L}\p{M}\p{N}])?$/u;
const HEX = /^#[0-9a-f]{6}$/i;
/** A name stands on one line: of a sheet, of a list, of a prompt. */
const LINE_OR_CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Why a host may not be a shop: for who reviews, and in French. */
const HOST_WORDS = {
  'holds a wildcard': 'contient un astérisque\u00a0: écrivez chaque boutique en entier.',
  'is not lowercase': 'est à écrire en minuscules.',
  'is an address': 'est une adresse IP\u00a0: écrivez le nom de la boutique.',
  'is not a host':
    'n’est pas le nom d’une boutique\u00a0: écrivez «\u00a0www.boutique.fr\u00a0», sans https:// ni chemin.',
  'is the shared image CDN': 'sert les images de toutes les boutiques\u00a0: il est déjà accepté.',
  'is a file store': 'est un magasin de fichiers, pas une boutique.',
} as const;
type HostProblem = keyof typeof HOST_WORDS;

/** What is wrong with one field of one product: for who reviews the registry (`what`), and in French for who proposes. */
type ProductFault = { productId: string; field: string; what: string; message: string };

/** Every fault of a registry, one line each, naming the product and the field; empty when it may be used. */
export function registryFaults(products: readonly Product[]): string[] {
  return productFaults(products).map(faultLine);
}

/** A fault as one line. */
export const faultLine = ({ productId, field, what }: ProductFault): string =>
  `${productId}: ${field}: ${what}`;

/** Every fault of the products, each and together. */
function productFaults(products: readonly Product[]): ProductFault[] {
  const seen = new Set<string>();
  return products.flatMap((product) => {
    const faults = faultsOf(product);
    if (seen.has(product.id))
      faults.push({
        productId: product.id,
        field: 'id',
        what: 'declared twice',
        message: 'Cet identifiant est déjà pris.',
      });
    seen.add(product.id);
    return faults;
  });
}

/** Every fault for which a change of the registry is not merged: the one judgement of `npm run product -- check`, of CI and of a proposal. */
export function mergeFaults(products: readonly Product[]): ProductFault[] {
  return [...productFaults(products), ...demonstrationFaults(products)];
}

/** Products of real accounts that say what only a demonstration says. */
function demonstrationFaults(products: readonly Product[]): ProductFault[] {
  const shown = new Set(
    products.filter(({ accountId }) => accountId === DEMO_ACCOUNT_ID).map(({ name }) => name.toLowerCase()),
  );
  return products
    .filter(({ accountId }) => accountId !== DEMO_ACCOUNT_ID)
    .flatMap(({ id, name, references }) => [
      ...(shown.has(name.toLowerCase())
        ? [
            {
              productId: id,
              field: 'name',
              what: 'is that of a demonstration product',
              message: 'Ce nom est celui d’un produit de démonstration.',
            },
          ]
        : []),
      ...references.shopDomains.filter(isReservedHost).map((host) => ({
        productId: id,
        field: 'references.shopDomains',
        what: `«\u00a0${host}\u00a0» is a demonstration's: no shop is there`,
        message: `«\u00a0${host}\u00a0» est une adresse de démonstration\u00a0: aucune boutique n’y est.`,
      })),
    ]);
}

function faultsOf(product: Product): ProductFault[] {
  const faults: ProductFault[] = [];
  const fault = (field: string, what: string, message: string) =>
    faults.push({ productId: product.id, field, what, message });
  if (!/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/.test(product.id))
    fault(
      'id',
      'not 3 to 40 lowercase letters, digits, hyphens',
      'Il faut de 3 à 40 lettres minuscules sans accent, chiffres ou traits d’union\u00a0; une lettre d’abord.',
    );
  if (product.id === FREE_PRODUCT)
    fault('id', 'belongs to the free product', 'Cet identifiant est celui du produit «\u00a0Libre\u00a0».');
  if (isLengthWrong(product.name, PRODUCT_LIMITS.name))
    fault('name', `not 1 to ${PRODUCT_LIMITS.name} characters`, inFrench('Le nom', PRODUCT_LIMITS.name));
  if (LINE_OR_CONTROL.test(product.name))
    fault('name', 'holds a line break or a control character', 'Le nom tient sur une seule ligne.');
  if (!isId('account', product.accountId))
    fault('accountId', 'not an account id', 'Ce n’est pas l’identifiant d’un compte.');
  if (product.spaceName !== undefined && product.spaceName.trim() === '')
    fault('spaceName', 'empty', 'Le nom de l’espace est vide.');
  shopFaults(product.references.shopDomains, (what, message) =>
    fault('references.shopDomains', what, message),
  );
  const { tone, promises = [], pronunciations = [], colours = {} } = product.brand ?? {};
  if (tone !== undefined && isLengthWrong(tone, PRODUCT_LIMITS.tone))
    fault(
      'brand.tone',
      `not 1 to ${PRODUCT_LIMITS.tone} characters`,
      inFrench('Le ton', PRODUCT_LIMITS.tone),
    );
  if (promises.length > PRODUCT_LIMITS.promises)
    fault(
      'brand.promises',
      `more than ${PRODUCT_LIMITS.promises}`,
      `Il y a plus de ${PRODUCT_LIMITS.promises} promesses.`,
    );
  for (const promise of promises)
    if (isLengthWrong(promise, PRODUCT_LIMITS.promise))
      fault(
        'brand.promises',
        `one is not 1 to ${PRODUCT_LIMITS.promise} characters`,
        inFrench('Une promesse', PRODUCT_LIMITS.promise),
      );
  if (pronunciations.length > PRODUCT_LIMITS.pronunciations)
    fault(
      'brand.pronunciations',
      `more than ${PRODUCT_LIMITS.pronunciations}`,
      `Il y a plus de ${PRODUCT_LIMITS.pronunciations} prononciations.`,
    );
  if (new Set(pronunciations.map(({ written }) => written)).size !== pronunciations.length)
    fault('brand.pronunciations', 'a word twice', 'Un mot y est deux fois.');
  for (const { written, spoken } of pronunciations)
    for (const word of [written, spoken])
      if (!WORD.test(word) || word.length > PRODUCT_LIMITS.word)
        fault(
          'brand.pronunciations',
          `«\u00a0${word}\u00a0» is not a word of 1 to ${PRODUCT_LIMITS.word} letters`,
          `«\u00a0${word}\u00a0» n’est pas un mot de 1 à ${PRODUCT_LIMITS.word} lettres.`,
        );
  for (const [name, value] of Object.entries(colours))
    if (value !== undefined && !HEX.test(value))
      fault(`brand.colours.${name}`, 'not a #rrggbb colour', 'Ce n’est pas une couleur #rrvvbb.');
  return faults;
}

const isLengthWrong = (text: string, most: number) => text.trim() === '' || text.length > most;
const inFrench = (what: string, most: number) => `${what} doit faire de 1 à ${most} caractères.`;

function shopFaults(hosts: readonly string[], fault: (what: string, message: string) => void): void {
  if (hosts.length > PRODUCT_LIMITS.shopDomains)
    fault(
      `more than ${PRODUCT_LIMITS.shopDomains}`,
      `Il y a plus de ${PRODUCT_LIMITS.shopDomains} boutiques.`,
    );
  if (new Set(hosts).size !== hosts.length) fault('a host twice', 'Une boutique y est deux fois.');
  for (const host of hosts) {
    const problem = hostProblem(host);
    if (problem) fault(`«\u00a0${host}\u00a0» ${problem}`, `«\u00a0${host}\u00a0» ${HOST_WORDS[problem]}`);
  }
}

/** Why a host may not be a shop, or undefined. */
function hostProblem(host: string): HostProblem | undefined {
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
