import { MemoryKind, MemorySource, PillarRole, SpaceTemplate } from '#lib/db/generated/tables.ts';

export type { MemoryKind, MemorySource, PillarRole, SpaceTemplate };

/** The five roles of a Space's pillars, in the order in which every answer lists them: that of the database's enum. */
export const PILLAR_ROLES: readonly PillarRole[] = Object.values(PillarRole);

/** Where a Memory came from. */
export const MEMORY_SOURCES: readonly MemorySource[] = Object.values(MemorySource);

/** What a Memory is. */
export const MEMORY_KINDS: readonly MemoryKind[] = Object.values(MemoryKind);

export const SPACE_TEMPLATES: readonly SpaceTemplate[] = Object.values(SpaceTemplate);

/** How one pillar is shown in the Spaces of one template; `icon` is a lucide name. */
type PillarPresentation = { label: string; icon: string; note: string };

type TemplatePresentation = { label: string; pillars: Record<PillarRole, PillarPresentation> };

/** Labels, icons and notes of the five templates. The roles are the same everywhere; only the words change. */
export const TEMPLATES: Readonly<Record<SpaceTemplate, TemplatePresentation>> = {
  brand: {
    label: 'Marque',
    pillars: {
      IDENTITY: {
        label: 'Identité',
        icon: 'fingerprint-pattern',
        note: 'Qui est la marque : son histoire, sa promesse, ses valeurs et ce qui la distingue.',
      },
      GUIDELINES: {
        label: 'Charte',
        icon: 'ruler',
        note: 'Comment la marque parle et se montre : ton, vocabulaire, couleurs, usages permis et interdits.',
      },
      KNOWLEDGE: {
        label: 'Connaissances',
        icon: 'library',
        note: 'Ce qu’il faut savoir pour parler juste : marché, chiffres vérifiés, études, réponses aux questions.',
      },
      ITEMS: {
        label: 'Offre',
        icon: 'package',
        note: 'Ce que la marque vend : produits, services, prix, caractéristiques et disponibilité.',
      },
      PEOPLE: {
        label: 'Publics',
        icon: 'users',
        note: 'À qui la marque s’adresse et qui la porte : clients types, équipe, partenaires.',
      },
    },
  },
  app: {
    label: 'App',
    pillars: {
      IDENTITY: {
        label: 'Produit',
        icon: 'app-window',
        note: 'Ce que l’application fait, pour qui, et le problème qu’elle résout mieux qu’une autre.',
      },
      GUIDELINES: {
        label: 'Règles',
        icon: 'list-checks',
        note: 'Les conventions à suivre : interface, textes, code, accessibilité, décisions déjà prises.',
      },
      KNOWLEDGE: {
        label: 'Documentation',
        icon: 'book-open',
        note: 'Comment l’application fonctionne : architecture, guides, interfaces, questions fréquentes.',
      },
      ITEMS: {
        label: 'Fonctionnalités',
        icon: 'blocks',
        note: 'Les fonctions, écrans et formules de l’application, une Mémoire pour chacun.',
      },
      PEOPLE: {
        label: 'Utilisateurs',
        icon: 'users',
        note: 'Qui s’en sert et qui la construit : profils d’utilisateurs, rôles, retours, équipe.',
      },
    },
  },
  work: {
    label: 'Travail',
    pillars: {
      IDENTITY: {
        label: 'Mission',
        icon: 'briefcase',
        note: 'Le cadre du travail : l’organisation, le rôle tenu, les objectifs et ce qui est attendu.',
      },
      GUIDELINES: {
        label: 'Méthodes',
        icon: 'compass',
        note: 'La manière de travailler : procédures, modèles de documents, règles et formats à respecter.',
      },
      KNOWLEDGE: {
        label: 'Dossiers',
        icon: 'folder-open',
        note: 'Le savoir accumulé : comptes rendus, analyses, références et décisions à retrouver.',
      },
      ITEMS: {
        label: 'Projets',
        icon: 'square-kanban',
        note: 'Ce qui est en cours ou livré : projets, livrables, échéances et état d’avancement.',
      },
      PEOPLE: {
        label: 'Équipe',
        icon: 'users',
        note: 'Avec qui l’on travaille : collègues, clients, prestataires, leurs rôles et leurs préférences.',
      },
    },
  },
  personal: {
    label: 'Personnel',
    pillars: {
      IDENTITY: {
        label: 'Moi',
        icon: 'user-round',
        note: 'Ce qu’un assistant doit savoir de vous : parcours, situation, goûts et priorités.',
      },
      GUIDELINES: {
        label: 'Préférences',
        icon: 'sliders-horizontal',
        note: 'Comment vous aimez que l’on vous aide : ton, habitudes, contraintes, choses à éviter.',
      },
      KNOWLEDGE: {
        label: 'Notes',
        icon: 'notebook-pen',
        note: 'Ce que vous voulez retrouver : lectures, idées, recettes, démarches, apprentissages.',
      },
      ITEMS: {
        label: 'Projets',
        icon: 'list-todo',
        note: 'Ce que vous menez et ce que vous possédez : projets, voyages, objets, abonnements.',
      },
      PEOPLE: {
        label: 'Proches',
        icon: 'heart-handshake',
        note: 'Les personnes qui comptent : famille, amis, contacts utiles, dates à ne pas oublier.',
      },
    },
  },
  blank: {
    label: 'Libre',
    pillars: {
      IDENTITY: {
        label: 'Identité',
        icon: 'fingerprint-pattern',
        note: 'De quoi il s’agit : le sujet de l’Espace, son but et ce qui le définit.',
      },
      GUIDELINES: {
        label: 'Consignes',
        icon: 'list-checks',
        note: 'Les règles à suivre quand on écrit ou décide à partir de cet Espace.',
      },
      KNOWLEDGE: {
        label: 'Connaissances',
        icon: 'library',
        note: 'Les faits, documents et explications sur lesquels s’appuyer.',
      },
      ITEMS: {
        label: 'Éléments',
        icon: 'shapes',
        note: 'Les choses dont on parle, une Mémoire pour chacune.',
      },
      PEOPLE: {
        label: 'Personnes',
        icon: 'users',
        note: 'Les personnes concernées : qui elles sont, leur rôle et comment s’adresser à elles.',
      },
    },
  },
};

/** Whether `value` is one of the five roles, exactly as written in the API. */
export function isPillarRole(value: unknown): value is PillarRole {
  return PILLAR_ROLES.includes(value as PillarRole);
}

/** The French name of a template, e.g. « Marque ». */
export function templateLabel(template: SpaceTemplate): string {
  return TEMPLATES[template].label;
}

/** Label, icon and note of one pillar in the Spaces of this template. */
export function pillarPresentation(template: SpaceTemplate, role: PillarRole): PillarPresentation {
  return TEMPLATES[template].pillars[role];
}

/** Kind of a Memory whose writer did not choose one: ITEMS → ITEM, PEOPLE → PERSON, else NOTE. */
export function defaultKind(role: PillarRole): MemoryKind {
  if (role === 'ITEMS') return 'ITEM';
  if (role === 'PEOPLE') return 'PERSON';
  return 'NOTE';
}
