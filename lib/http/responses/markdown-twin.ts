/** Whether a path is one of the documentation's pages, or the Markdown of one. */
export const isDocumentation = (pathname: string) =>
  /^\/docs(?:\.md)?$|^\/docs\/[\w-]+(?:\.md)?$/.test(pathname);

/**
 * The address of the Markdown of a documentation page, when it is what is asked for: by `.md` at the end, or by an `Accept` that names
 * the type. Null for a person's browser, which never names it.
 */
export function markdownTwin(pathname: string, accept: string | null): string | null {
  if (!isDocumentation(pathname)) return null;
  const isAsked =
    pathname.endsWith('.md') || /\btext\/markdown\b(?!\s*;\s*q=0(?:\.0+)?\b)/i.test(accept ?? '');
  return isAsked ? `/api${pathname.replace(/\.md$/, '')}` : null;
}
