import type { ProductFile } from '../../shape/product-file.ts';

export const product: ProductFile = {
  name: 'Bougies Maison Lumen',
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
};
