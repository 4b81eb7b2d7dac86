import { afterEach, expect, test, vi } from 'vitest';
import { openCreated } from '#app/(cockpit)/espaces/open-created.ts';

afterEach(() => vi.unstubAllGlobals());

/** How the page of a new Space is opened from this address. */
function opened(search: string): string[] {
  vi.stubGlobal('window', { location: { search } });
  const calls: string[] = [];
  const how = (name: string) => (address: string) => calls.push(`${name} ${address}`);
  openCreated({ push: how('push'), replace: how('replace') }, 'spc_a');
  return calls;
}

test('« back » from a new Space leads to the page before the form, not to an empty form over its list', () => {
  expect(opened('?nouveau')).toEqual(['replace /espaces/spc_a']);
  expect(opened('')).toEqual(['push /espaces/spc_a']);
});
