import { afterEach, describe, expect, it, vi } from 'vitest';
import { isLeft, markRequests } from '#app/_ui/shell/drawn-for/mark-requests.ts';
import { MEMBER_HEADER } from '#lib/http/security/member-header.ts';

const MEMBER = 'mbr_01';

/** A page of this service whose frame has these data attributes, or that has no frame; returns what its scripts would send. */
function pageWith(frame: Record<string, string> | null) {
  const sent: { input: unknown; init: RequestInit | undefined }[] = [];
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    sent.push({ input, init });
    return new Response();
  });
  vi.stubGlobal('window', { location: new URL('https://atelier.test/creer?type=video') });
  vi.stubGlobal('document', { querySelector: () => frame && { dataset: frame } });
  markRequests();
  const markOf = async (input: string | URL, init?: RequestInit) => {
    await fetch(input, init);
    return new Headers(sent.at(-1)?.init?.headers).get(MEMBER_HEADER);
  };
  return { sent, markOf };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a request from a page of the cockpit', () => {
  it('says for which member the page was drawn, beside what it says already', async () => {
    const { sent, markOf } = pageWith({ drawnFor: MEMBER });
    const init = { method: 'POST', headers: { 'next-action': 'abc' }, body: 'corps' };
    expect(await markOf('/creer?type=video', init)).toBe(MEMBER);
    expect(sent[0]?.input).toBe('/creer?type=video');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', body: 'corps' });
    expect(new Headers(sent[0]?.init?.headers).get('next-action')).toBe('abc');
    expect(await markOf('https://atelier.test/api/references/upload', { method: 'POST' })).toBe(MEMBER);
    expect(await markOf('/api/wallet')).toBe(MEMBER);
  });

  it('tells no other origin, leaves pages to the router, and says nothing where no frame is', async () => {
    const { markOf } = pageWith({ drawnFor: MEMBER });
    for (const elsewhere of [
      'https://store.test/object?signature=x',
      '//store.test/object',
      'http://atelier.test/',
    ])
      expect(await markOf(elsewhere, { method: 'PUT' })).toBeNull();
    expect(await markOf(new URL('https://atelier.test/journal?_rsc=1'))).toBeNull();
    expect(await pageWith(null).markOf('/connexion', { method: 'POST' })).toBeNull();
    expect(await pageWith({ drawnFor: '' }).markOf('/apercu', { method: 'POST' })).toBeNull();
  });

  it('knows the page whose account was left', () => {
    pageWith({ drawnFor: MEMBER, left: 'true' });
    expect(isLeft()).toBe(true);
    pageWith({ drawnFor: MEMBER });
    expect(isLeft()).toBe(false);
    pageWith(null);
    expect(isLeft()).toBe(false);
  });
});
