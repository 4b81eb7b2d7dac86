import { ENTRIES } from '../content/home.ts';
import { DOC_PAGES, pagesByGroup } from '../pages.ts';
import type { DocPage } from '../writing/page.ts';
import { pathOf } from '../writing/slugs.ts';
import { keeper } from './keep.ts';

const keep = keeper<string>();

/** A page as Markdown: the very texts that are drawn for people, each under its heading. */
export function markdownOf(page: DocPage, origin: string): string {
  return keep(`${page.slug} ${origin}`, () => write(page, origin));
}

function write(page: DocPage, origin: string): string {
  const entries =
    page.slug === ''
      ? [ENTRIES.map(({ href, title, text }) => `- [${title}](${href})\u00a0: ${text}`).join('\n')]
      : [];
  const sections = page
    .sections(origin)
    .map(({ title, level, text }) => [`${'#'.repeat(level)} ${title}`, text].filter(Boolean).join('\n\n'));
  return `${[`# ${page.title}`, page.introduction(origin), ...entries, ...sections].join('\n\n')}\n`;
}

/** `/llms.txt`: what the service is and every page, by its Markdown address. */
export function llmsIndex(): string {
  const line = (page: DocPage) => `- [${page.title}](${pathOf(page)}.md)\u00a0: ${page.summary}`;
  const groups = pagesByGroup().map(({ group, pages }) => `## ${group}\n\n${pages.map(line).join('\n')}`);
  return `# Atelier

> Ce qu’une équipe sait de sa marque, gardé une fois et donné aux prompts et aux assistants\u00a0; et l’atelier qui en fait des fichiers. Le service parle français. Tout demande un compte, sauf cette documentation.

- [Serveur MCP](/api/mcp)\u00a0: chercher, lire, ajouter et assembler des mémoires. Autorisation OAuth 2.1, décrite par [ses métadonnées](/.well-known/oauth-protected-resource/api/mcp)
- [OpenAPI, contexte](/api/v1/openapi.json) et [OpenAPI, Studio](/api/openapi.json)

${groups.join('\n\n')}

## Optional

- [Toute la documentation en un texte](/llms-full.txt)
`;
}

/** `/llms-full.txt`: every page, one after the other. */
export function llmsFull(origin: string): string {
  return DOC_PAGES.map((page) => markdownOf(page, origin)).join('\n---\n\n');
}

/** Where search engines find the pages. */
export function sitemapOf(origin: string): string {
  const urls = DOC_PAGES.map((page) => `<url><loc>${origin}${pathOf(page)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`;
}
