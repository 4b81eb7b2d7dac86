import { MEMBER_HEADER } from '#lib/http/security/member-header.ts';

/** What the frame says of itself (`other-account.tsx`); nothing on a page that has none. */
const frame = () => document.querySelector<HTMLElement>('[data-drawn-for]')?.dataset;

/** Whether the browser’s session went on as another member than the one whom this page was drawn for. */
export const isLeft = (): boolean => frame()?.left !== undefined;

/**
 * Has every request of the page’s scripts to our own origin say for which member the page was drawn: server actions, which Next sends by
 * `fetch`, and our own routes. The router reads pages by `URL` objects, and these say nothing: a page is drawn for whoever is signed in.
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
