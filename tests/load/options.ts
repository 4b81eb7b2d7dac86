import { readCount, readOptions } from '#lib/local/options.ts';

const { values } = readOptions('npm run load -- [--seconds 120] [--callers 24]', {
  options: { seconds: { type: 'string', default: '120' }, callers: { type: 'string', default: '24' } },
});
export const seconds = readCount('seconds', values.seconds);
export const callers = readCount('callers', values.callers);
