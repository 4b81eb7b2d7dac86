import { ASSISTANT } from './content/assistant.ts';
import { CHANGELOG } from './content/changelog.ts';
import { DEVELOPER } from './content/developer.ts';
import { ERRORS } from './content/errors.ts';
import { HOME } from './content/home.ts';
import { MEMBER } from './content/member.ts';
import { CONTEXT_API, MCP_TOOLS, STUDIO_API } from './content/reference.ts';
import { CALLS, LIMITS, VERSIONS } from './content/rules.ts';
import { DOC_GROUPS, type DocPage } from './writing/page.ts';

/** Every page of the documentation, in the order in which it is read. What lists, draws or sends pages reads this. */
export const DOC_PAGES: readonly DocPage[] = [
  HOME,
  MEMBER,
  DEVELOPER,
  ASSISTANT,
  CONTEXT_API,
  STUDIO_API,
  MCP_TOOLS,
  ERRORS,
  LIMITS,
  CALLS,
  VERSIONS,
  CHANGELOG,
];

/** The page at an address under `/docs`; undefined when there is none. */
export function findPage(slug: string): DocPage | undefined {
  return DOC_PAGES.find((page) => page.slug === slug);
}

/** Where a page is. */
export const pathOf = ({ slug }: Pick<DocPage, 'slug'>) => (slug ? `/docs/${slug}` : '/docs');

/** The pages under their headings, without the home. */
export const pagesByGroup = () =>
  DOC_GROUPS.map((group) => ({ group, pages: DOC_PAGES.filter((page) => page.group === group) }));
