import { ASSISTANT } from './content/assistant.ts';
import { CHANGELOG } from './content/changelog.ts';
import { DEVELOPER } from './content/developer.ts';
import { ERRORS } from './content/errors.ts';
import { EVENTS } from './content/events.ts';
import { HOME } from './content/home.ts';
import { MEMBER } from './content/member.ts';
import { CONTEXT_API, MCP_TOOLS, STUDIO_API } from './content/reference.ts';
import { CALLS, LIMITS, VERSIONS } from './content/rules.ts';
import { DOC_GROUPS, type DocPage } from './writing/page.ts';
import { DOC_SLUGS, type DocSlug } from './writing/slugs.ts';

const BY_SLUG = {
  '': HOME,
  membre: MEMBER,
  developpeur: DEVELOPER,
  assistant: ASSISTANT,
  api: CONTEXT_API,
  studio: STUDIO_API,
  mcp: MCP_TOOLS,
  evenements: EVENTS,
  erreurs: ERRORS,
  limites: LIMITS,
  appels: CALLS,
  versions: VERSIONS,
  changements: CHANGELOG,
} satisfies Record<DocSlug, DocPage>;

/** Every page of the documentation, in the order in which it is read. What lists, draws or sends pages reads this. */
export const DOC_PAGES: readonly DocPage[] = DOC_SLUGS.map((slug) => BY_SLUG[slug]);

/** The page at an address under `/docs`; undefined when there is none. */
export function findPage(slug: string): DocPage | undefined {
  return DOC_PAGES.find((page) => page.slug === slug);
}

/** The pages under their headings, without the home. */
export const pagesByGroup = () =>
  DOC_GROUPS.map((group) => ({ group, pages: DOC_PAGES.filter((page) => page.group === group) }));
