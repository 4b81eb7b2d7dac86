/** A way of doing that a member may add to a brief; its instruction goes into the prompt as written here. */
export type Skill = {
  id: string;
  /** Shown in the composer. */
  label: string;
  kinds: readonly ('image' | 'vector' | 'video')[];
  instruction: string;
};

export const SKILLS: readonly Skill[] = [
  {
    id: 'photo-produit',
    label: 'Photo de produit',
    kinds: ['image', 'video'],
    instruction:
      'Photographie de produit : sujet entier et net, échelle crédible, ombre de contact douce, aucun texte ajouté.',
  },
  {
    id: 'lumiere-naturelle',
    label: 'Lumière naturelle',
    kinds: ['image', 'video'],
    instruction: 'Lumière du jour latérale et diffuse, ombres lisibles, blancs neutres.',
  },
  {
    id: 'fond-uni',
    label: 'Fond uni',
    kinds: ['image'],
    instruction: 'Fond uni sans décor, sans dégradé visible, sans reflet parasite.',
  },
  {
    id: 'plan-serre',
    label: 'Plan serré',
    kinds: ['image', 'video'],
    instruction: 'Cadrage serré sur la matière, faible profondeur de champ, point sur le détail décrit.',
  },
  {
    id: 'espace-texte',
    label: 'Place pour un texte',
    kinds: ['image'],
    instruction: 'Laisser un tiers de l’image vide et homogène pour y poser un texte plus tard.',
  },
  {
    id: 'mouvement-lent',
    label: 'Mouvement lent',
    kinds: ['video'],
    instruction: 'Un seul mouvement de caméra, lent et continu, sans coupe ni changement de scène.',
  },
  {
    id: 'boucle',
    label: 'Boucle',
    kinds: ['video'],
    instruction: 'La dernière image rejoint la première, pour une lecture en boucle.',
  },
  {
    id: 'trait-unique',
    label: 'Trait unique',
    kinds: ['vector'],
    instruction: 'Pictogramme au trait d’épaisseur constante, extrémités rondes, sans remplissage.',
  },
  {
    id: 'silhouette',
    label: 'Silhouette pleine',
    kinds: ['vector'],
    instruction: 'Pictogramme en aplat d’une seule couleur, reconnaissable à 24 pixels.',
  },
];

/** The skill of this name that this kind may use, or undefined. */
export function findSkill(id: string, kind: Skill['kinds'][number]): Skill | undefined {
  return SKILLS.find((skill) => skill.id === id && skill.kinds.includes(kind));
}
