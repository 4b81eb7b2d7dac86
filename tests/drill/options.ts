import { readCount, readOptions } from '#lib/local/options.ts';

export const { values: asked } = readOptions(
  'npm run drill [-- --memories 2000 --generations 60] [-- --from <address> --to <address of an empty database>]',
  {
    options: {
      memories: { type: 'string', default: '2000' },
      generations: { type: 'string', default: '60' },
      from: { type: 'string' },
      to: { type: 'string' },
    },
  },
);

export const memories = readCount('memories', asked.memories);
export const generations = readCount('generations', asked.generations);
