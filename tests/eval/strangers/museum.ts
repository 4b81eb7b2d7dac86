import type { StrangerBrand } from './brand.ts';

/** A small museum: collections, opening hours, visits, loans, patrons. */
export const MUSEUM: StrangerBrand = {
  space: 'Musée de la Batellerie',
  memories: [
    [
      'presentation',
      'IDENTITY',
      'Le musée en bref',
      "Ouvert en 1968 dans l'ancien grenier à sel de Saint-Jean-de-Losne, le musée de la Batellerie raconte la vie sur les canaux et les rivières. Musée de France depuis 2003. Collections : 3 800 objets, dont 46 maquettes et 2 bateaux à flot. Le bâtiment, construit en 1782, est inscrit aux Monuments historiques.",
    ],
    [
      'horaires',
      'KNOWLEDGE',
      "Horaires d'ouverture",
      `- Du 1er avril au 30 juin et du 1er septembre au 31 octobre : de 10 h à 12 h 30 et de 14 h à 18 h, fermé le mardi
- Juillet et août : tous les jours de 10 h à 19 h, nocturne le jeudi jusqu'à 22 h
- Du 1er novembre au 31 mars : samedi et dimanche seulement, de 14 h à 17 h
Fermé le 1er mai, le 25 décembre et tout le mois de janvier. La caisse ferme 45 minutes avant.`,
    ],
    [
      'billets',
      'ITEMS',
      "Droits d'entrée",
      "Plein tarif 8 €, réduit 5 € (étudiants, demandeurs d'emploi, enseignants), gratuit pour les moins de 18 ans, les personnes handicapées et leur accompagnateur, les mariniers en activité. Gratuit pour tous le premier dimanche du mois. Billet couplé avec la visite de la péniche Aurore : 12 €. Pass annuel : 20 €.",
    ],
    [
      'aurore',
      'ITEMS',
      'La péniche Aurore',
      "Freycinet de 38,50 m construite en 1931 au chantier de Conflans, achetée par la Ville en 1989 pour un franc. Elle a transporté du charbon, puis des céréales jusqu'en 1984. On visite la cale, la timonerie et le logement de la famille Delcourt, remeublé d'après les souvenirs de Paulette Delcourt. Moteur Baudouin DB6 de 1956. Jauge : 280 tonnes.",
    ],
    [
      'berrichon',
      'ITEMS',
      'Le bateau berrichon Espérance',
      "Long et étroit (27,60 m sur 2,60 m), l'Espérance naviguait sur le canal de Berry. Construit en 1912, halé par des ânes jusqu'en 1937. C'est un des trois derniers de France. Il ne se visite pas : le public le regarde depuis le quai. Restauré en 2014 grâce à la Fondation du patrimoine (112 000 €).",
    ],
    [
      'expo-2026',
      'KNOWLEDGE',
      'Exposition 2026 : « Femmes de l’eau »',
      "Du 16 mai au 1er novembre 2026. Commissaire : Hélène Marchand-Roy. Quatre-vingts photographies et douze témoignages sonores de marinières, éclusières et lavandières. Scénographie de l'atelier Trait d'Union, budget 74 000 €. Vernissage le vendredi 15 mai à 18 h 30. L'affiche montre Paulette Delcourt à la barre en 1958 ; crédit obligatoire : fonds Delcourt, DR.",
    ],
    [
      'expo-2025',
      'KNOWLEDGE',
      'Exposition 2025 : « Crues »',
      'Du 17 mai au 2 novembre 2025. Commissaire : Bastien Lorrain. Cinquante-deux photographies de la Saône en crue, de 1840 à 2018. 14 380 visiteurs, record du musée. Itinérance prévue à Mâcon et à Chalon en 2026-2027. Les panneaux appartiennent au musée, les tirages sont prêtés par les archives départementales.',
    ],
    [
      'voix',
      'GUIDELINES',
      'Écrire pour le musée',
      `Nous écrivons pour un enfant de 11 ans curieux et pour son grand-père marinier.
- Une idée par phrase, 20 mots au plus.
- Un mot de métier est expliqué la première fois : « la timonerie, la cabine d'où l'on barre ».
- On tutoie les enfants dans le livret, on vouvoie partout ailleurs.
- Pas de « incontournable », « immersif », « plongez dans ».
- Un cartel : 60 mots. Un texte de salle : 120 mots. Un titre : 8 mots.
- On dit marinier, jamais batelier pour les personnes ; batellerie reste pour le métier.`,
    ],
    [
      'logo',
      'GUIDELINES',
      'Logo et couleurs',
      "Le logo est une ligne d'eau bleue sous un trait noir. Bleu Saône #1F4E79 (Pantone 653 C), noir, blanc cassé #F6F1E7. L'ocre #C98A2B est réservé à la boutique. Zone de protection : la hauteur du B. Ne jamais poser le logo sur une photographie. Typographie : Faune pour les titres, Source Sans pour le texte.",
    ],
    [
      'scolaires',
      'KNOWLEDGE',
      'Visites scolaires et ateliers',
      `| Atelier | Niveau | Durée | Prix par classe |
| --- | --- | --- | --- |
| Le nœud marin | CP - CE2 | 1 h | 60 € |
| L'écluse, comment ça marche ? | CM1 - 6e | 1 h 30 | 75 € |
| Mémoire de marinier | collège, lycée | 2 h | 90 € |
Maximum 28 élèves. Gratuit pour les écoles de la commune. Inscription auprès de Lucie Gaudillat, médiatrice, au moins trois semaines à l'avance. Le musée n'a pas de salle de pique-nique ; en cas de pluie la mairie prête la salle des fêtes.`,
    ],
    [
      'prets',
      'KNOWLEDGE',
      "Prêt d'œuvres : conditions",
      "Toute demande de prêt est adressée à la conservatrice six mois avant. Assurance clou à clou à la charge de l'emprunteur, transport par un professionnel, hygrométrie de 50 % ± 5, 50 lux au plus pour les papiers et les textiles. Les maquettes antérieures à 1850 ne sont jamais prêtées. Durée maximale : quatre mois, renouvelable une fois. Le musée demande un constat d'état à l'aller et au retour.",
    ],
    [
      'equipe',
      'PEOPLE',
      'Équipe',
      "Conservatrice : Hélène Marchand-Roy. Médiation : Lucie Gaudillat. Régie des collections : Ousmane Diarra. Accueil et boutique : Sandrine Petitjean et deux saisonniers. Bénévoles de l'association des Amis du musée : 63, présidée par le Dr Guy Perrot.",
    ],
    [
      'mecenes',
      'KNOWLEDGE',
      'Mécénat et Cercle des mécènes',
      "Entreprises : à partir de 1 000 € par an, 60 % déductibles de l'impôt. Particuliers : à partir de 50 €, 66 % déductibles. Contreparties limitées à 25 % du don : une soirée privée, des entrées, le nom sur le mur de la cale. Mécènes actuels : Voies navigables de France, Crédit agricole de Champagne-Bourgogne, Transports Rhénans. Nous refusons les alcooliers et les pétroliers.",
    ],
    [
      'boutique',
      'ITEMS',
      'Boutique du musée',
      "Catalogue « Crues » 24 €, catalogue « Femmes de l'eau » 28 € (à paraître le 10 mai), carte postale 1,20 €, nœud marin en kit 9,50 €, maquette en carton de la péniche 14 €, pull marin de l'atelier Saint-Usage 89 €. La boutique accepte les chèques-vacances. Remise de 10 % pour les Amis du musée. Pas de vente en ligne pour l'instant.",
    ],
    [
      'acces',
      'KNOWLEDGE',
      'Venir au musée',
      "2 rue de la Liberté, 21170 Saint-Jean-de-Losne. Gare TER à 12 min à pied (ligne Dijon – Bourg). Parking gratuit quai National, 40 places, 2 pour autocars. Le rez-de-chaussée et la salle 1 sont accessibles en fauteuil ; la péniche ne l'est pas. Les chiens restent dehors, sauf chiens d'assistance. Haltes nautiques à 200 m pour les plaisanciers.",
    ],
    [
      'inventaire',
      'KNOWLEDGE',
      "Numérotation de l'inventaire",
      'Chaque objet porte un numéro année.acquisition.objet : 1989.2.14 est le quatorzième objet de la deuxième acquisition de 1989. Les dépôts commencent par D (D.2004.1.3). Les objets sans origine connue sont marqués SN. Récolement décennal : 2 910 objets vérifiés sur 3 800 au 31/12/2025. Ousmane Diarra tient le registre, la base est sur Micromusée.',
    ],
  ],
  questions: [
    ['question', 'Le musée est-il ouvert le mardi en juillet ?', 'horaires'],
    ['question', "Combien coûte l'entrée pour un étudiant ?", 'billets'],
    ['question', "Qui est commissaire de l'exposition Femmes de l'eau ?", 'expo-2026'],
    ['question', 'Combien de visiteurs pour Crues ?', 'expo-2025'],
    ['question', 'Quel bleu utilise-t-on pour le logo ?', 'logo'],
    ['question', 'Peut-on visiter le bateau berrichon ?', 'berrichon'],
    ['other form', 'Comment emprunter une maquette au musée ?', 'prets'],
    ['other form', 'Que transportait la péniche ?', 'aurore'],
    ['other form', 'combien de mots quand on rédige un cartel', 'voix'],
    ['other form', 'Quels mécènes refuse-t-on ?', 'mecenes'],
    ['other form', 'Comment les objets sont-ils numérotés ?', 'inventaire'],
    ['other form', 'Faut-il tutoyer les visiteurs ?', 'voix'],
    ['other form', 'quelle entreprise a construit Aurore ?', 'aurore'],
    ['figure or date', 'fermeture au 25/12', 'horaires'],
    ['figure or date', 'vernissage du 15/05/2026', 'expo-2026'],
    ['figure or date', 'les 52 photographies de la Saône', 'expo-2025'],
    ['figure or date', 'bateau de 38m50', 'aurore'],
    ['figure or date', 'objet 1989.2.14', 'inventaire'],
    ['typo', 'typograhie des titres', 'logo'],
    ['typo', 'atelier ecluse cm2 prix', 'scolaires'],
    ['typo', "horraires d'hiver", 'horaires'],
    ['synonym', 'où se garer ?', 'acces'],
    ['synonym', 'Un don de 100 euros donne droit à quelle réduction fiscale ?', 'mecenes'],
    ['follow-up', 'et les moins de 18 ans ?', 'billets'],
    ['follow-up', 'Et en hiver, quels jours ?', 'horaires'],
    [
      'two topics',
      'Le musée et la péniche sont-ils accessibles aux handicapés, et à quel tarif ?',
      'acces',
      'billets',
    ],
    ['two topics', 'Que coûte le catalogue de la prochaine expo et quand paraît-il ?', 'boutique'],
    [
      'prompt',
      "Écrivez le cartel de la péniche Aurore, en respectant nos règles d'écriture",
      'aurore',
      'voix',
    ],
    ['prompt', "prépare une newsletter pour le vernissage de l'exposition 2026", 'expo-2026'],
    [
      'prompt',
      'Je voudrais un mail pour une école de Dijon qui veut venir avec deux classes de CM1',
      'scolaires',
    ],
    ['no answer', 'Y a-t-il un audioguide en allemand ?'],
    ['no answer', 'Quel est le chiffre de vente du restaurant ?'],
  ],
};
