import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import { sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { GUIDE_EXAMPLES } from '../examples/guides.ts';
import { referenceSections } from '../reference/operations.ts';
import { resourceSections, toolSections } from '../reference/tools.ts';
import { type DocPage, fence, list, samples, text } from '../writing/page.ts';

const prelude = (credential: string) =>
  fence(
    'ts TypeScript',
    `import { AtelierClient } from '@atelier/client';

const atelier = new AtelierClient({
  baseUrl: process.env.ATELIER_URL!,
  ${credential},
});`,
  );
/** The name under which a browser of this address keeps the session. */
const cookieOf = (origin: string) => sessionCookieName(origin.startsWith('https://'));
const exported = (...lines: string[]) =>
  fence('bash Terminal', lines.map((line) => `export ${line}`).join('\n'));

export const CONTEXT_API: DocPage = {
  slug: 'api',
  title: 'API de contexte',
  summary:
    'Espaces, mémoires, contexte, recherche, quota, projets, et le Studio par clé\u00a0: générations, fichiers, solde.',
  group: 'Référence',
  introduction: (origin) =>
    text(
      'Un programme lit les espaces d’un compte, y ajoute une mémoire, demande un contexte prêt pour un prompt, cherche, et demande des générations au Studio. La même référence pour les programmes\u00a0: [/api/v1/openapi.json](/api/v1/openapi.json).',
      'Les exemples supposent une clé ([en créer une](/docs/developpeur#cle)) et des identifiants à vous\u00a0: `$SPACE_ID` dans un terminal, `spaceId` dans un programme, est celui d’un de vos espaces, et ainsi de suite.',
      exported(`ATELIER_URL=${origin}`, 'ATELIER_KEY=atl_…', 'SPACE_ID=spc_…'),
      'En TypeScript, ils supposent ce client\u00a0:',
      prelude('apiKey: process.env.ATELIER_KEY'),
      list(
        'La clé se donne dans l’en-tête `Authorization`, jamais dans l’adresse.',
        'Toute erreur a la forme `{"error": {"code", "message"}}`\u00a0; citez l’en-tête `Request-Id` dans toute question.',
        'Une lecture réussie du Brain coûte [une lecture du mois](/docs/limites#lectures)\u00a0; ajouter, lire le Studio et recevoir un 304 ne coûtent rien.',
      ),
    ),
  sections: (origin) => referenceSections(contextApiDocument(origin)),
};

export const STUDIO_API: DocPage = {
  slug: 'studio',
  title: 'API du Studio',
  summary:
    'Générations, références, fichiers, gabarits, voix, portefeuille et exports, avec la session d’un membre ou, souvent, une clé.',
  group: 'Référence',
  introduction: (origin) =>
    text(
      'Demander une génération, suivre le journal, envoyer une référence, relire un fichier, entendre une voix, exporter. Les montants sont en dollars. La même référence pour les programmes\u00a0: [/api/openapi.json](/api/openapi.json).',
      'Ces adresses s’ouvrent à la session d’un membre, le cookie de son navigateur, et souvent à une clé qui porte le droit qu’elles nomment. Pour un programme, préférez [l’API de contexte](/docs/api) quand elle a la même opération.',
      exported(`ATELIER_URL=${origin}`, `ATELIER_SESSION="${cookieOf(origin)}=…"`, 'GENERATION_ID=gen_…'),
      'En TypeScript, ils supposent ce client\u00a0; `photo` est le contenu d’une image, en octets.',
      prelude('sessionCookie: process.env.ATELIER_SESSION'),
    ),
  sections: (origin) => referenceSections(studioApiDocument(origin)),
};

export const MCP_TOOLS: DocPage = {
  slug: 'mcp',
  title: 'Outils MCP',
  summary: 'Chaque outil qu’un assistant peut appeler\u00a0: ses arguments, sa réponse, son droit, son coût.',
  group: 'Référence',
  introduction: (origin) =>
    text(
      `Le serveur est à \`${origin}/api/mcp\` (Streamable HTTP, sans état). Il accepte un jeton OAuth 2.1, que l’assistant demande seul, ou une clé de développeur dans l’en-tête \`Authorization\`. Pour le brancher\u00a0: [Connecter un assistant](/docs/assistant).`,
      'Un programme qui n’a pas de bibliothèque MCP appelle un outil en une requête, sans `initialize`. La réponse est un message JSON-RPC, seul ou dans un flux (`text/event-stream`)\u00a0; ce que l’outil rend est dans `result.structuredContent`.',
      samples(GUIDE_EXAMPLES.mcpCall),
      'Les autres exemples sont les paramètres de `tools/call`. Un outil qui refuse répond `isError` avec un [code](/docs/erreurs) et une phrase qui dit quoi faire.',
    ),
  sections: () => [
    { id: 'outils', title: 'Outils', level: 2, text: '' },
    ...toolSections(),
    ...resourceSections(),
  ],
};
