import { afterAll, expect, it, vi } from 'vitest';
import { leaving } from '#app/_ui/shell/arriving/leaving.ts';

const location = {
  href: 'https://atelier.test/espaces/spc_1',
  origin: 'https://atelier.test',
  assign: vi.fn(),
  reload: vi.fn(),
};
vi.stubGlobal('window', { location, navigation: {}, addEventListener: () => {} });
vi.stubGlobal('document', { querySelector: () => null, visibilityState: 'hidden' });
const send = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = send;
  Object.assign(leaving, { tell: null, stay: null, to: undefined, calledOff: undefined });
  vi.unstubAllGlobals();
});

it('a link that was called off loads its document when it is pressed again, since the router does not; the others are the router’s', async () => {
  const { onRouterTransitionStart } = await import('../../../../instrumentation-client.ts');
  onRouterTransitionStart('/journal', 'push');
  expect(leaving.to).toBe('https://atelier.test/journal');
  expect(location.assign).not.toHaveBeenCalled();
  leaving.calledOff = leaving.to;
  onRouterTransitionStart('/voix', 'push');
  expect(location.assign).not.toHaveBeenCalled();
  onRouterTransitionStart('/journal', 'push');
  expect(location.assign.mock.calls).toEqual([['https://atelier.test/journal']]);
});
