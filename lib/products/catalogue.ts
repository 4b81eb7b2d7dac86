import { product as atelierVasques } from './accounts/acc_01jd0000000000000000000dem/atelier-vasques.ts';
import { product as lumenBougies } from './accounts/acc_01jd0000000000000000000dem/lumen-bougies.ts';
import { product as lumenParfums } from './accounts/acc_01jd0000000000000000000dem/lumen-parfums.ts';
import type { ProductFile } from './types.ts';

/** Every product of every account, under the path of its file: `<account>/<product>`. `npm run product -- check` compares it with the files. */
export const CATALOGUE: Readonly<Record<string, ProductFile>> = {
  'acc_01jd0000000000000000000dem/lumen-bougies': lumenBougies,
  'acc_01jd0000000000000000000dem/lumen-parfums': lumenParfums,
  'acc_01jd0000000000000000000dem/atelier-vasques': atelierVasques,
};
