import { type DocPage, steps, text } from '../writing/page.ts';

export const MEMBER: DocPage = {
  slug: 'membre',
  title: 'Démarrer en tant que membre',
  summary: 'Un premier espace, un import, un contexte copié, une première image.',
  group: 'Commencer',
  introduction: () =>
    'Votre équipe vous a invité, ou l’exploitant du service a créé le compte à votre adresse. Dix minutes suffisent pour que vos prompts parlent de votre marque.',
  sections: () => [
    {
      id: 'espace',
      title: 'Créer un premier espace',
      level: 2,
      text: text(
        'Un espace rassemble ce que l’on sait d’une chose\u00a0: une marque, une application, un travail. Il a cinq piliers, dont les noms changent avec le type choisi.',
        steps(
          'Ouvrez [Espaces](/espaces), puis «\u00a0Créer un espace\u00a0».',
          'Donnez-lui un nom et choisissez un type, «\u00a0Marque\u00a0» par exemple.',
          'Cliquez sur «\u00a0Ajouter\u00a0», au pied d’un pilier, et écrivez une mémoire\u00a0: un titre par lequel on la retrouvera, et son texte.',
        ),
        'Une mémoire dit une chose. «\u00a0Ton\u00a0», «\u00a0Promesse\u00a0», «\u00a0Durée de garantie\u00a0»\u00a0: trois mémoires valent mieux qu’un long document, parce que la recherche et le contexte choisissent mémoire par mémoire.',
      ),
    },
    {
      id: 'import',
      title: 'Importer ce que vous avez déjà',
      level: 2,
      text: text(
        steps(
          'Dans l’espace, ouvrez le menu, puis «\u00a0Importer\u00a0».',
          'Déposez des fichiers ou un dossier n’importe où sur un espace\u00a0: Word (.docx), exports de Google Docs et de Notion, Markdown, texte, PDF, page HTML, tableau CSV, JSON, ou un zip qui en contient. Un dossier qui porte le nom d’un pilier y est rangé. Ou donnez l’adresse d’une page web.',
          'Le rapport dit ce qui est entré, ce qui existait déjà et ce qui a été laissé, avec la raison.',
        ),
        'L’import continue quand vous fermez la page. Ce qui dépasse la capacité du compte n’est pas écrit, et le rapport le dit.',
      ),
    },
    {
      id: 'contexte',
      title: 'Copier un contexte',
      level: 2,
      text: text(
        steps(
          'Dans l’espace, cliquez sur «\u00a0Copier le contexte\u00a0»\u00a0: tout l’espace, en un seul texte prêt à coller.',
          'Pour choisir les piliers ou la longueur, ou pour ne garder que ce qui répond à une question, ouvrez [Contexte](/contexte).',
          'Collez-le avant votre demande, dans l’outil que vous voulez.',
        ),
        'Le texte dit lui-même que les mémoires sont des données et non des consignes. Il n’est jamais plus long que la limite choisie\u00a0: quand la place manque, les titres restent et les textes sont coupés entre deux mots.',
      ),
    },
    {
      id: 'image',
      title: 'Demander une première image',
      level: 2,
      text: text(
        steps(
          'Ouvrez [Créer](/creer), choisissez «\u00a0Image\u00a0» et décrivez-la.',
          'Le bouton dit le montant qui sera retenu. À droite\u00a0: le texte exact qui sera envoyé et le solde d’après.',
          'À la livraison, le coût mesuré est débité et le reste rendu. Un échec ne coûte rien.',
        ),
        'Tout ce qui a été demandé se retrouve dans le [Journal](/journal), avec son coût. Le solde et les plafonds sont dans le [Portefeuille](/portefeuille).',
      ),
    },
    {
      id: 'suite',
      title: 'Et ensuite',
      level: 2,
      text: 'Pour que Claude, ChatGPT ou Cursor lisent vos espaces sans rien coller, [connectez un assistant](/docs/assistant). Pour un programme, [créez une clé](/docs/developpeur).',
    },
  ],
};
