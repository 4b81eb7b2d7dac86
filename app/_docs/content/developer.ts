import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { READ_EVERY_MS } from '#lib/studio/limits.ts';
import { GUIDE_EXAMPLES } from '../examples/guides.ts';
import { type DocPage, fence, list, samples, steps, text } from '../writing/page.ts';

const step = (name: keyof typeof GUIDE_EXAMPLES) => {
  const { curl, typescript }: { curl?: string; typescript?: string } = GUIDE_EXAMPLES[name];
  return samples({ curl, TypeScript: typescript });
};

export const DEVELOPER: DocPage = {
  slug: 'developpeur',
  title: 'Démarrer en tant que développeur',
  summary: 'Une clé, un premier appel, le client TypeScript, les reprises, les pages, les ETag et l’attente.',
  group: 'Commencer',
  introduction: () =>
    'L’API parle JSON, en HTTP, avec une clé dans un en-tête. Les erreurs sont en français, et chacune a [un code et un remède](/docs/erreurs).',
  sections: (origin) => [
    {
      id: 'cle',
      title: 'Créer une clé',
      level: 2,
      text: text(
        steps(
          `Ouvrez [Développeurs](/developpeurs), puis «\u00a0Créer une clé\u00a0»\u00a0: un nom, des droits, une fin. Pour écrire, cochez «\u00a0${SCOPE_WORDS['brain:write'].label}\u00a0».`,
          'Copiez-la\u00a0: elle n’est montrée qu’une fois. Elle commence par `atl_`.',
          'Posez-la dans l’environnement de votre programme, jamais dans une adresse ni dans un dépôt.',
        ),
        fence('bash Terminal', `export ATELIER_URL=${origin}\nexport ATELIER_KEY=atl_…`),
        'Une clé agit pour le membre qui l’a créée, dans la limite de ses droits et des siens. Vous pouvez la révoquer, un fondateur aussi\u00a0; elle s’arrête aussitôt.',
      ),
    },
    {
      id: 'premier-appel',
      title: 'Premier appel',
      level: 2,
      text: text(
        step('firstCall'),
        'Une liste arrive dans `data`, avec la capacité du compte. Gardez l’identifiant d’un espace (`export SPACE_ID=spc_…`)\u00a0: la suite s’en sert. Toutes les opérations sont dans [l’API de contexte](/docs/api).',
      ),
    },
    {
      id: 'client',
      title: 'Le client TypeScript',
      level: 2,
      text: text(
        '`@atelier/client` est écrit depuis les documents OpenAPI\u00a0: ses types sont ceux du service. Il n’a pas de dépendance et marche sous Node 20 et plus et dans les environnements semblables\u00a0; dans un navigateur, sur les pages de ce service seulement, l’API ne laissant aucune autre origine lire ses réponses.',
        'Aucun registre public ne l’a\u00a0: l’exploitant du service en donne l’archive (`npm pack` dans le dossier `packages/client` du dépôt), que `npm install` prend par son chemin.',
        list(
          '**Reprises**\u00a0: une lecture, ou un envoi qui porte une clé d’idempotence, est retenté quand un refus le permet (`Retry-After`) ou que rien n’a répondu.',
          '**Idempotence**\u00a0: une clé est faite pour chaque envoi qui en veut une, et gardée d’une tentative à l’autre.',
          '**Lectures conditionnelles**\u00a0: un espace ou un contexte inchangé n’est ni renvoyé ni décompté, comme ce que le Studio donne à une clé.',
          "**Erreurs par code**\u00a0: `isAtelierError(error, 'not_found')`.",
        ),
        step('refusal'),
      ),
    },
    {
      id: 'idempotence',
      title: 'Écrire une seule fois',
      level: 2,
      text: text(
        'Un ajout et une génération portent une `Idempotency-Key` que vous choisissez\u00a0: rejouée avec le même contenu, elle rend la même réponse (`Idempotent-Replayed: true`) sans rien refaire. Avec un autre contenu, c’est [`idempotency_conflict`](/docs/erreurs#idempotency_conflict).',
        step('idempotency'),
        'Prenez une clé qui vient de votre donnée (le numéro d’une fiche), pas de l’instant\u00a0: c’est elle qui vous protège d’un programme relancé.',
      ),
    },
    {
      id: 'etag',
      title: 'Ne relire que ce qui a changé',
      level: 2,
      text: text(
        'Un espace et un contexte, comme [d’autres réponses](/docs/appels#cache), viennent avec un `ETag`. Renvoyez-le tel quel dans `If-None-Match`, guillemets compris (`export ETAG=\'"…"\'`)\u00a0: si rien n’a changé, la réponse est 304, sans corps, et ne coûte aucune lecture du quota.',
        step('conditional'),
      ),
    },
    {
      id: 'pages',
      title: 'Parcourir le journal',
      level: 2,
      text: text(
        'Le journal vient par pages, la plus récente d’abord. `nextCursor` se renvoie dans `cursor`\u00a0; il est nul à la fin. Le client tourne les pages pour vous.',
        step('paging'),
        'Le Studio s’ouvre à une clé qui porte `studio:read` (lire) ou `studio:generate` (demander). Celle qui demande a un plafond de dépense par mois, choisi à sa création et tenu exactement.',
      ),
    },
    {
      id: 'attendre',
      title: 'Attendre une génération',
      level: 2,
      text: text(
        `Une image, un pictogramme ou une voix arrivent dans la réponse. Une vidéo, un mouvement, une synchronisation labiale ou un rendu sont \`running\` (202)\u00a0: relisez la génération jusqu’à ce qu’elle ait une fin, toutes les ${READ_EVERY_MS / 1_000} secondes au plus vite, comme le dit \`Retry-After\`.`,
        step('waiting'),
        'Le client attend 30 minutes au plus, ou ce que dit `maxWaitMs`\u00a0; ensuite il lève `AtelierTimeoutError`, et vous pouvez attendre de nouveau. Une vidéo, un mouvement ou une synchronisation labiale a deux heures, un rendu cent minutes\u00a0: au-delà, la génération échoue et le montant est rendu.',
        'Si votre programme s’arrête, la génération continue\u00a0: le service la clôt lui-même, et le montant retenu est débité au coût mesuré ou rendu.',
      ),
    },
    {
      id: 'suite',
      title: 'Et ensuite',
      level: 2,
      text: list(
        '[Événements](/docs/evenements)\u00a0: être prévenu plutôt que relire',
        '[Limites et quota](/docs/limites)\u00a0: ce qu’une clé peut demander en une minute et en un mois',
        '[Appels sûrs](/docs/appels)\u00a0: pagination, idempotence et cache en détail',
        '[Versions](/docs/versions)\u00a0: ce qui peut changer, et ce qui ne changera pas',
      ),
    },
  ],
};
