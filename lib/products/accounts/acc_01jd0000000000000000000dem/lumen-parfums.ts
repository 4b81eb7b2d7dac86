import type { ProductFile } from '../../shape/product-file.ts';

export const product: ProductFile = {
  name: 'Parfums d’intérieur Maison Lumen',
  spaceName: 'Maison Lumen',
  references: { shopDomains: ['www.maison-lumen.example'] },
  brand: {
    tone: 'Sensoriel et sobre\u00a0: on décrit ce que l’on sent, pas ce que l’on devrait ressentir.',
    promises: ['Alcool de blé français', 'Compositions sans phtalates', 'Flacon en verre rechargeable'],
    pronunciations: [{ written: 'Lumen', spoken: 'Lumène' }],
    colours: { colour: '#3e5c4b', ink: '#16201a', paper: '#f2f5f0' },
  },
};
