import { guides } from '#app/(cockpit)/applications/connecter/guides.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { OAUTH_SCOPES } from '#lib/oauth/protocol/config.ts';
import { type DocPage, fence, list, steps, table, text } from '../writing/page.ts';

export const ASSISTANT: DocPage = {
  slug: 'assistant',
  title: 'Connecter un assistant',
  summary: 'L’adresse MCP, comment la donner à Claude, ChatGPT, Cursor ou VS Code, les droits et les outils.',
  group: 'Commencer',
  introduction: (origin) =>
    text(
      'Un assistant lit vos espaces par MCP, un protocole ouvert. Il n’y a qu’une adresse à lui donner\u00a0; il s’enregistre seul, vous vous connectez, vous acceptez.',
      fence('text Adresse', `${origin}/api/mcp`),
      origin.startsWith('https://')
        ? ''
        : 'Cette adresse-ci n’est joignable que depuis cette machine\u00a0: les assistants en ligne demandent une adresse publique en https.',
    ).trim(),
  sections: (origin) => [
    ...guides(`${origin}/api/mcp`).map((guide) => ({
      id: guide.id,
      title: guide.name,
      level: 2 as const,
      text: text(
        steps(...guide.steps),
        ...guide.samples.map(({ label, code }) =>
          fence(`${code.startsWith('{') ? 'json' : 'bash'} ${label}`, code),
        ),
      ),
    })),
    {
      id: 'droits',
      title: 'Ce que vous acceptez',
      level: 2,
      text: text(
        'L’assistant demande des droits (scopes OAuth 2.1)\u00a0; vous les acceptez ensemble ou les refusez, et il n’a jamais plus que les vôtres. Vous choisissez les espaces qu’il ouvre et, s’il peut demander des générations, son plafond par mois.',
        table(
          ['Droit', 'Ce qu’il permet'],
          OAUTH_SCOPES.map((scope) => [
            `\`${scope}\``,
            `${SCOPE_WORDS[scope].label}. ${SCOPE_WORDS[scope].hint}`,
          ]),
        ),
        'L’accord se retire dans [Applications](/applications), aussitôt. Un jeton d’accès dure une heure et se renouvelle seul\u00a0; sans usage pendant trente jours, il faut se reconnecter.',
      ),
    },
    {
      id: 'outils',
      title: 'Ce que l’assistant peut faire',
      level: 2,
      text: text(
        table(
          ['Outil', 'Ce qu’il fait', 'Droit'],
          TOOLS.map(({ name, description, scope }) => [
            `[\`${name}\`](/docs/mcp#${name})`,
            description,
            `\`${scope}\``,
          ]),
        ),
        'Les arguments et les réponses de chacun sont dans [Outils MCP](/docs/mcp).',
      ),
    },
    {
      id: 'conseils',
      title: 'Pour que cela marche bien',
      level: 2,
      text: list(
        'Dites à l’assistant quel espace prendre, par son nom\u00a0: «\u00a0avec l’espace Maison Lumen\u00a0».',
        'Demandez-lui de lire le contexte une fois par conversation plutôt qu’à chaque phrase\u00a0: chaque lecture compte dans le [quota du mois](/docs/limites).',
        'Ce qu’il ajoute est marqué «\u00a0Assistant\u00a0» et se défait comme le reste\u00a0: la corbeille garde trente jours ce qui est supprimé.',
        'Les textes des mémoires lui sont donnés comme des données\u00a0: une consigne cachée dans un document importé n’a pas à être suivie.',
      ),
    },
  ],
};
