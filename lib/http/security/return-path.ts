/** Header in which proxy.ts tells a page its own address (path and query); whatever a browser sends under it is replaced. */
export const PAGE_HEADER = 'x-atelier-page';

const HOME = '/espaces';

/** Where to go after signing in: a path of ours, never another site, never the sign-in page itself. */
export function returnPath(value: string | null | undefined): string {
  // A browser reads « \ » as « / » and skips tabs and line ends: any of them could spell another host.
  if (!value?.startsWith('/') || value.length > 6000 || /[\\\s]|[^\x21-\x7e]/.test(value)) return HOME;
  const base = 'http://atelier.invalid';
  // Not `URL.parse`: pages call this too, and Safari has it since 18 alone.
  const url = URL.canParse(value, base) ? new URL(value, base) : null;
  if (url?.origin !== base || value.startsWith('//')) return HOME;
  const path = url.pathname + url.search + url.hash;
  return /^\/(connexion|api|_next)(\/|$)/.test(url.pathname) || path.startsWith('//') ? HOME : path;
}

/** The sign-in page that comes back to `path`. */
export function signInPath(path: string | null): string {
  const back = returnPath(path);
  return back === HOME || path === '/' ? '/connexion' : `/connexion?retour=${encodeURIComponent(back)}`;
}
