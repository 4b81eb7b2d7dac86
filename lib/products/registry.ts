import { FREE_PRODUCT, type Product } from './types.ts';
import { registryFaults } from './validate.ts';

/** The account that `npm start` seeds, and that owns the demonstration products. */
export const DEMO_ACCOUNT_ID = 'acc_01jd0000000000000000000dem';

const PRODUCTS: readonly Product[] = [
  {
    id: 'lumen-bougies',
    name: 'Bougies Maison Lumen',
    accountId: DEMO_ACCOUNT_ID,
    spaceName: 'Maison Lumen',
    references: { shopDomains: ['www.maison-lumen.example', 'boutique.maison-lumen.example'] },
    brand: {
      tone: 'Calme, précis, chaleureux sans emphase. Des phrases courtes, des matières nommées, jamais de superlatif.',
      promises: [
        'Cire végétale coulée à la main à Grasse',
        'Mèche en coton sans plomb',
        'Recharge possible du contenant en verre',
      ],
      colours: { colour: '#8a4b2a', ink: '#1f1a17', paper: '#f6f1ea' },
    },
  },
  {
    id: 'lumen-parfums',
    name: 'Parfums d’intérieur Maison Lumen',
    accountId: DEMO_ACCOUNT_ID,
    spaceName: 'Maison Lumen',
    references: { shopDomains: ['www.maison-lumen.example'] },
    brand: {
      tone: 'Sensoriel et sobre\u00a0: on décrit ce que l’on sent, pas ce que l’on devrait ressentir.',
      promises: ['Alcool de blé français', 'Compositions sans phtalates', 'Flacon en verre rechargeable'],
      colours: { colour: '#3e5c4b', ink: '#16201a', paper: '#f2f5f0' },
    },
  },
  {
    id: 'atelier-vasques',
    name: 'Vasques en grès de l’Atelier Brume',
    accountId: DEMO_ACCOUNT_ID,
    references: { shopDomains: ['atelier-brume.example'] },
    brand: {
      tone: 'Artisanal et concret, le vocabulaire du potier.',
      promises: ['Grès tourné et émaillé en Bourgogne', 'Chaque pièce est unique et signée'],
    },
  },
];

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
