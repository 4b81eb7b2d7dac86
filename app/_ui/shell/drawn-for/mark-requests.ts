import { MEMBER_HEADER } from '#lib/http/security/member-header.ts';

/** The data attributes of the frame (`other-account.tsx`); undefined on a page without a frame. */
const frame = () => document.querySelector<HTMLElement>('[data-drawn-for]')?.dataset;

/** Whether the browser's session has changed to another member than the one for whom this page was drawn. */
export const isLeft = (): boolean => frame()?.left !== undefined;

/**
 * Adds to every request of the page's scripts to our own origin the member for whom the page was drawn: server actions, which Next sends by `fetch`,
 * and our own routes. The router passes `URL` objects, which are left as they are: a page is drawn for whoever is signed in.
 */
export function markRequests(): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const member = frame()?.drawnFor;
    const { href, origin } = window.location;
    if (!member || typeof input !== 'string' || new URL(input, href).origin !== origin)
      return send(input, init);
    const headers = new Headers(init?.headers);
    headers.set(MEMBER_HEADER, member);
    return send(input, { ...init, headers });
  };
}
