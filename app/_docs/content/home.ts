import { type DocPage, fence, list, text } from '../writing/page.ts';

/** Who reads: each entry leads to a quick start. */
export const ENTRIES = [
  {
    href: '/docs/membre',
    title: 'Membre',
    text: 'Vous travaillez dans Atelier\u00a0: un premier espace, un import, un contexte à coller, une image.',
  },
  {
    href: '/docs/developpeur',
    title: 'Développeur',
    text: 'Votre programme lit et écrit\u00a0: une clé, un premier appel, le client TypeScript, ce qu’il faut savoir pour durer.',
  },
  {
    href: '/docs/assistant',
    title: 'Assistant',
    text: 'Claude, ChatGPT, Cursor et les autres lisent vos espaces\u00a0: une adresse à coller, des droits à accepter.',
  },
];

export const HOME: DocPage = {
  slug: '',
  title: 'Documentation',
  summary: 'Se servir d’Atelier\u00a0: à la main, par un programme, par un assistant.',
  group: null,
  introduction: () =>
    'Atelier garde une fois ce qu’une équipe sait de sa marque, et le donne aux prompts, aux programmes et aux assistants. Le Studio en fait des images, des voix et des vidéos, au prix mesuré.',
  sections: (origin) => [
    {
      id: 'pour-les-programmes',
      title: 'Pour les programmes',
      level: 2,
      text: text(
        'Chaque page de cette documentation existe aussi en Markdown\u00a0: ajoutez `.md` à son adresse, ou demandez `Accept: text/markdown`.',
        list(
          '[llms.txt](/llms.txt)\u00a0: le sommaire\u00a0; [llms-full.txt](/llms-full.txt)\u00a0: toutes les pages en un texte',
          '[/api/v1/openapi.json](/api/v1/openapi.json) et [/api/openapi.json](/api/openapi.json)\u00a0: les deux documents OpenAPI 3.1, d’où la référence est tirée',
          `[/api/mcp](/docs/mcp)\u00a0: le serveur MCP`,
        ),
        'Les exemples supposent ces valeurs, posées une fois\u00a0; une page qui en demande d’autres le dit.',
        fence('bash Terminal', `export ATELIER_URL=${origin}\nexport ATELIER_KEY=atl_…`),
      ),
    },
    {
      id: 'tenus-par-des-essais',
      title: 'Des exemples qui marchent',
      level: 2,
      text: 'Chaque exemple de ces pages est exécuté par les essais du service avant chaque publication\u00a0: la commande curl, le programme TypeScript, l’appel MCP. Une opération sans exemple, ou un exemple dont la réponse n’est pas celle qui est décrite, empêche la publication.',
    },
  ],
};
