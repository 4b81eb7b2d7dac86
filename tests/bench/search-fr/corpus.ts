import { WRITTEN } from './written.ts';

export type EvaluationMemory = { key: string; role: string; title: string; body: string };

/** A small generator with a fixed seed: the corpus is the same on every machine. */
function generator(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
  };
}

const TOWNS = [
  'Lille',
  'Rennes',
  'Bordeaux',
  'Strasbourg',
  'Grenoble',
  'Annecy',
  'Montpellier',
  'Dijon',
  'Angers',
  'Nancy',
  'Avignon',
  'Tours',
  'Quimper',
  'Bayonne',
  'Colmar',
];
const FIRST_NAMES = [
  'Camille',
  'Léa',
  'Jérôme',
  'Agnès',
  'Benoît',
  'Chloé',
  'Rémi',
  'Solène',
  'Gaspard',
  'Héloïse',
  'Noé',
  'Mathilde',
  'Loïc',
  'Aïcha',
  'Étienne',
  'Margaux',
  'Félix',
  'Joséphine',
  'Raphaël',
  'Maïa',
];
const LAST_NAMES = [
  'Charpentier',
  'Delaunay',
  'Fournel',
  'Garcin',
  'Hébrard',
  'Jacquet',
  'Lemoine',
  'Maréchal',
  'Pasquier',
  'Roussel',
  'Tessier',
  'Vasseur',
  'Aubry',
  'Blondeau',
  'Cordier',
  'Dumas',
  'Evrard',
  'Ferrand',
  'Guérin',
  'Huet',
];
const JOBS = [
  'conseillère de vente',
  'préparateur de commandes',
  'chargée de clientèle',
  'alternant en marketing',
  'technicien de maintenance',
  'graphiste indépendante',
  'rédactrice du journal',
  'responsable de boutique',
  'magasinier',
  'apprentie savonnière',
];
const OPINIONS = [
  'la mousse est douce mais le parfum s’estompe trop vite',
  'l’étui est arrivé abîmé, le savon était intact',
  'la peau ne tiraille plus après la douche',
  'le flacon fuit dans le sac, la pompe ferme mal',
  'le conseil en boutique était précis et patient',
  'la livraison a pris six jours au lieu de deux',
  'le galet fond trop vite sur le rebord de la baignoire',
  'l’odeur rappelle le linge séché dehors',
];
const TOPICS = [
  'les ventes du trimestre',
  'la rupture de stock des recharges',
  'le planning des visites',
  'la formation des nouveaux arrivants',
  'les vitrines de printemps',
  'le prochain salon professionnel',
  'la refonte du site',
  'les retours des pharmacies',
  'le budget des échantillons',
  'la hausse du prix du carton',
];
const DECISIONS = [
  'le sujet revient au prochain comité',
  'un essai de deux mois est décidé',
  'la direction tranche d’ici vendredi',
  'rien ne change avant l’été',
  'un devis est demandé à deux prestataires',
  'la boutique teste la mesure la première',
  'le point est clos',
];
const PRODUCTS = [
  'Savon',
  'Gel douche',
  'Shampoing solide',
  'Crème',
  'Baume',
  'Bougie',
  'Lait corporel',
  'Gommage',
  'Huile sèche',
  'Brume',
];
const SCENTS = [
  'Figuier',
  'Verveine',
  'Cèdre',
  'Fleur d’oranger',
  'Miel',
  'Thym citron',
  'Amande',
  'Tilleul',
  'Genévrier',
  'Violette',
  'Pin sylvestre',
  'Bergamote',
];
const USES = [
  'Convient aux peaux normales',
  'Pour les peaux sèches',
  'À utiliser le matin',
  'Recommandé après le sport',
  'Idéal en voyage',
  'Édition limitée de printemps',
  'Réservé au circuit des pharmacies',
];
const BASES = [
  'huile d’olive et coco',
  'beurre de cacao et tournesol',
  'argile blanche et karité',
  'aloès et glycérine végétale',
  'avoine et amande douce',
  'colza et cire de riz',
];

function generated(): EvaluationMemory[] {
  const { pick, between } = generator(20_251_121);
  const memories: EvaluationMemory[] = [];
  const add = (key: string, role: string, title: string, body: string) =>
    memories.push({ key: `${key}-${memories.length}`, role, title, body });

  for (const product of PRODUCTS)
    for (const scent of SCENTS.slice(0, 7)) {
      add(
        'gamme',
        'ITEMS',
        `${product} ${scent}`,
        `${pick(USES)}. Base : ${pick(BASES)}. Format de ${between(3, 40) * 10} g, prix public ${between(6, 32)},${between(1, 9)}0 €. Lot suivi par ${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}, réassort toutes les ${between(2, 9)} semaines.`,
      );
    }
  for (let i = 0; i < 50; i++) {
    const town = pick(TOWNS);
    add(
      'reunion',
      'KNOWLEDGE',
      `Réunion de ${town}, semaine ${between(1, 52)}`,
      `Ordre du jour : ${pick(TOPICS)}, puis ${pick(TOPICS)}. ${pick(FIRST_NAMES)} présente les chiffres, ${pick(FIRST_NAMES)} rappelle la charte. Après discussion, ${pick(DECISIONS)}. Prochaine date : le ${between(2, 28)} à ${between(8, 17)} h.`,
    );
  }
  for (let i = 0; i < 50; i++) {
    add(
      'avis',
      'KNOWLEDGE',
      `Avis client n° ${between(1_000, 9_999)}`,
      `Cliente de ${pick(TOWNS)}, ${between(19, 78)} ans, a acheté ${pick(PRODUCTS).toLowerCase()} ${pick(SCENTS).toLowerCase()}. Elle écrit : ${pick(OPINIONS)}. Note : ${between(1, 5)} sur 5. Réponse envoyée par ${pick(FIRST_NAMES)}.`,
    );
  }
  for (let i = 0; i < 45; i++) {
    const name = `${FIRST_NAMES[(i * 7) % 20]} ${LAST_NAMES[(i * 3 + Math.floor(i / 20)) % 20]}`;
    add(
      'equipe',
      'PEOPLE',
      name,
      `${name}, ${pick(JOBS)} à ${pick(TOWNS)} depuis ${between(2009, 2025)}. Travaille avec ${pick(FIRST_NAMES)} sur ${pick(TOPICS)}. Présence les ${pick(['lundis', 'mardis', 'jeudis'])} et ${pick(['vendredis', 'samedis'])}.`,
    );
  }
  return memories;
}

/** The whole corpus: what was written by hand, then what was drawn from templates around it. */
export const CORPUS: readonly EvaluationMemory[] = [
  ...WRITTEN.map(([key, role, title, body]) => ({ key, role, title, body })),
  ...generated(),
];
