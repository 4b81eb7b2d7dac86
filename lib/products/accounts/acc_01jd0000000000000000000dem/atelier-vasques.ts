import type { ProductFile } from '../../shape/product-file.ts';

export const product: ProductFile = {
  name: 'Vasques en grès de l’Atelier Brume',
  references: { shopDomains: ['atelier-brume.example'] },
  brand: {
    tone: 'Artisanal et concret, le vocabulaire du potier.',
    promises: ['Grès tourné et émaillé en Bourgogne', 'Chaque pièce est unique et signée'],
  },
};
