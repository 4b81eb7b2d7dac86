import { readCount, readOptions } from '#lib/local/options.ts';

export const { values: asked } = readOptions('npm run faults -- [--only crash,pool] [--count 40]', {
  options: { only: { type: 'string' }, count: { type: 'string', default: '40' } },
});
export const count = readCount('count', asked.count);
