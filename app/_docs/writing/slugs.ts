/** Addresses of the pages under `/docs`, in the order in which they are read; the home has none. Imports nothing, so that scripts can read it. */
export const DOC_SLUGS = [
  '',
  'membre',
  'developpeur',
  'assistant',
  'api',
  'studio',
  'mcp',
  'evenements',
  'erreurs',
  'limites',
  'appels',
  'versions',
  'changements',
] as const;

export type DocSlug = (typeof DOC_SLUGS)[number];

/** Where a page is. */
export const pathOf = ({ slug }: { slug: DocSlug }) => (slug ? `/docs/${slug}` : '/docs');
