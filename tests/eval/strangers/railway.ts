import type { StrangerBrand } from './brand.ts';

/** A regional railway operator: fares, timetables, rolling stock, delays. */
export const RAILWAY: StrangerBrand = {
  space: 'Ligne des Causses',
  memories: [
    [
      'qui',
      'IDENTITY',
      'Qui sommes-nous',
      'La Ligne des Causses exploite depuis le 1er septembre 2019 les trains régionaux entre Béziers, Millau, Marvejols et Neussargues. Nous sommes une société anonyme détenue à 60 % par la Région Occitanie et à 40 % par le groupe Transférance. 214 agents, dont 71 conducteurs. Siège : 8 place de la Gare, 12100 Millau.',
    ],
    [
      'ton',
      'GUIDELINES',
      'Charte de ton',
      `On parle comme un chef de bord, pas comme un règlement.

| Situation | Nous disons | Nous ne disons pas |
| --- | --- | --- |
| Retard | « Votre train aura 20 minutes de retard. Voici pourquoi. » | « Suite à un incident d'exploitation » |
| Suppression | « Le train de 17 h 42 ne circulera pas. » | « est supprimé », « dysfonctionnement » |
| Contrôle | « Votre billet n'est pas valable aujourd'hui, voici comment faire. » | « fraude », « contrevenant » |

Toujours le vouvoiement. Jamais de point d'exclamation quand un train est en retard. On ne s'excuse qu'une fois, et on dit ce qu'on fait.`,
    ],
    [
      'tarifs',
      'ITEMS',
      'Grille tarifaire 2026',
      `Valable du 1er janvier au 31 décembre 2026.

| Titre | Plein tarif | Moins de 26 ans | Plus de 65 ans |
| --- | --- | --- | --- |
| Aller simple, 1 à 25 km | 4,20 € | 2,10 € | 3,10 € |
| Aller simple, 26 à 75 km | 9,80 € | 4,90 € | 7,30 € |
| Aller simple, plus de 75 km | 17,50 € | 8,70 € | 13,00 € |
| Carnet de 10 | -20 % | -20 % | -20 % |
| Abonnement mensuel Liberté | 68 € | 34 € | 51 € |

Les enfants de moins de 4 ans voyagent gratuitement sur les genoux. Le chien de plus de 6 kg paie demi-tarif.`,
    ],
    [
      'tarifs-2025',
      'ITEMS',
      'Grille tarifaire 2025 (archivée)',
      'Ancienne grille, remplacée le 1er janvier 2026. Aller simple 1 à 25 km : 3,90 € ; 26 à 75 km : 9,20 € ; plus de 75 km : 16,80 €. Abonnement mensuel Liberté : 64 €. Ne plus citer ces prix.',
    ],
    [
      'velos',
      'KNOWLEDGE',
      'Vélos à bord',
      'Six emplacements par rame X 73500, quatre par AGC. Gratuit de septembre à mai. Du 15 juin au 15 septembre la réservation est obligatoire sur la section Béziers – Millau (2 € par trajet) parce que les rames sont pleines. Les vélos-cargos et les tandems ne sont pas admis. Une trottinette pliée compte comme un bagage à main.',
    ],
    [
      'retards',
      'KNOWLEDGE',
      'Garantie ponctualité : indemnisation des retards',
      "À partir de 30 minutes de retard à l'arrivée, le voyageur reçoit un bon de 25 % du prix du billet ; 50 % au-delà d'une heure ; 75 % au-delà de deux heures. La demande se fait sous 60 jours, en ligne ou au guichet. Les abonnés sont indemnisés par mois : s'ils subissent plus de quatre retards de 15 min, 10 € sont déduits du mois suivant. Ne sont pas couverts les retards dus à une grève annoncée 48 h avant, ni ceux dus à la neige sur le plateau de l'Aubrac.",
    ],
    [
      'travaux',
      'KNOWLEDGE',
      'Travaux du viaduc de Garabit, été 2026',
      "Du 6 juillet au 28 août 2026 la ligne est fermée entre Saint-Chély-d'Apcher et Neussargues : SNCF Réseau repeint le viaduc et remplace 4 200 traverses. Des autocars remplacent les trains, départ devant la gare, 25 minutes de trajet en plus. Les vélos ne sont pas pris dans les cars. Réouverture prévue le samedi 29 août au premier train.",
    ],
    [
      'materiel',
      'KNOWLEDGE',
      'Parc de matériel roulant',
      `| Série | Nombre | Places | Vitesse max | Mise en service |
| --- | --- | --- | --- | --- |
| X 73500 | 9 | 61 + 20 strapontins | 140 km/h | 2001 |
| AGC bimode B 81500 | 6 | 160 | 160 km/h | 2007 |
| Draisine (ouvrage) | 1 | - | 80 km/h | 1998 |

L'entretien est fait à l'atelier de Béziers. Les AGC sont équipés de prises 230 V, pas les X 73500. La climatisation des X 73500 est en cours de remplacement (5 rames faites sur 9 au 1er mars).`,
    ],
    [
      'objets-trouves',
      'KNOWLEDGE',
      'Objets trouvés',
      "Tout ce qui est oublié à bord est rapporté le soir même à la gare de Millau, gardé 30 jours, puis remis au Secours populaire. Les papiers d'identité partent en mairie au bout de 8 jours. Téléphone : 05 65 00 12 12, de 9 h à 17 h. Restitution gratuite ; l'envoi par la poste coûte 9 €.",
    ],
    [
      'pmr',
      'KNOWLEDGE',
      'Accessibilité PMR',
      "L'assistance aux personnes à mobilité réduite est assurée dans 7 gares sur 19 : Béziers, Bédarieux, Millau, Sévérac-le-Château, Marvejols, Saint-Chély-d'Apcher, Neussargues. À réserver 24 heures avant (48 h le dimanche) au 0 800 31 31 00. Largeur maximale du fauteuil : 70 cm. Les chiens guides sont admis partout et ne paient rien.",
    ],
    [
      'directrice',
      'PEOPLE',
      'Nadège Fabrègue, directrice générale',
      "Ingénieure des Ponts, nommée le 3 mai 2022 après douze ans chez Keolis. Porte-parole unique pour la presse nationale. Elle n'aime pas l'expression « petit train ». Citation validée : « Une ligne vit quand on peut compter dessus. » Son adjoint, Rémi Castan, répond à la presse locale.",
    ],
    [
      'greve',
      'KNOWLEDGE',
      'Procédure en cas de grève',
      "Le préavis est connu 5 jours avant ; le plan de transport est publié l'avant-veille à 17 h. On communique dans cet ordre : site, affichage en gare, SMS aux abonnés, réseaux sociaux. On ne commente jamais les revendications. On n'écrit pas « prise d'otages ». Les billets du jour sont échangeables ou remboursables sans frais pendant 7 jours.",
    ],
    [
      'train-etoiles',
      'ITEMS',
      'Le Train des étoiles',
      "Train de nuit touristique, chaque vendredi de juillet et d'août : départ Millau 20 h 50, arrêt en pleine voie sur le causse vers 22 h 30, deux heures d'observation avec un astronome du club de Séverac, retour 1 h 40. 39 € l'adulte, 22 € l'enfant de 6 à 15 ans, boisson chaude comprise. 48 places. Annulé s'il pleut, remboursement intégral le lundi.",
    ],
    [
      'frequentation',
      'KNOWLEDGE',
      'Chiffres de fréquentation 2025',
      '1,34 million de voyages en 2025, soit +8,2 % par rapport à 2024. Taux de régularité : 93,1 % (objectif du contrat : 94 %). Gare la plus fréquentée : Béziers, 512 000 montées ; la moins fréquentée : Banassac, 1 900. Recettes : 6,7 M€. Trois cents abonnés de plus en un an.',
    ],
    [
      'ecole',
      'KNOWLEDGE',
      'Groupes scolaires',
      "Un accompagnateur gratuit pour dix élèves. Réservation par courriel quinze jours avant, au plus 80 élèves par train, jamais aux trains de 7 h 12 et de 17 h 42. Le tarif est de 3 € par élève quelle que soit la distance. La facture est envoyée à l'établissement après le voyage.",
    ],
    [
      'instagram',
      'GUIDELINES',
      'Réseaux sociaux',
      "Instagram : paysages et métiers, deux posts par semaine, jamais de visage de voyageur sans autorisation écrite. X : info trafic seulement, entre 5 h et 22 h. LinkedIn : recrutement et politique d'entreprise, signé par Nadège Fabrègue ou par un agent nommé. Facebook : réponses aux clients en moins de 4 heures. Pas d'émoji hors Instagram.",
    ],
    [
      'recrutement',
      'KNOWLEDGE',
      'Nous recrutons des conducteurs',
      "Douze postes de conducteur ou conductrice de train à pourvoir d'ici décembre 2026, à Béziers et à Marvejols. Formation rémunérée de dix mois, 2 350 € brut par mois dès la formation, puis environ 2 900 € avec les primes. Pas de diplôme exigé au-dessus du bac. Aptitude médicale et psychologique obligatoire. Candidatures jusqu'au 30 septembre.",
    ],
  ],
  questions: [
    ['question', 'Combien coûte un aller simple de 30 km ?', 'tarifs'],
    ['question', 'À partir de combien de minutes de retard est-on indemnisé ?', 'retards'],
    ['question', 'Est-ce que je peux prendre mon vélo dans le train en août ?', 'velos'],
    ['question', 'Qui parle à la presse nationale ?', 'directrice'],
    ['question', 'Quelle est la vitesse maximale des AGC ?', 'materiel'],
    ['question', 'Combien de voyageurs en 2025 ?', 'frequentation'],
    ['other form', 'Un voyageur a oublié son sac, où peut-il le récupérer ?', 'objets-trouves'],
    ['other form', 'Comment indemniser un abonné dont le train est souvent retardé ?', 'retards'],
    ['other form', 'quand a été nommé le directeur général ?', 'directrice'],
    ['other form', 'Quelles gares sont accessibles aux fauteuils roulants ?', 'pmr'],
    ['other form', "comment réserver pour une classe d'élèves", 'ecole'],
    ['figure or date', 'matériel qui roule à 160km/h', 'materiel'],
    ['figure or date', "Que s'est-il passé le 03/05/2022 ?", 'directrice'],
    ['figure or date', 'combien de nouveaux abonnés, 300 ?', 'frequentation'],
    ['figure or date', 'le train de 17h42 peut-il accueillir un groupe ?', 'ecole'],
    ['typo', 'fermeture du viduc de garabit', 'travaux'],
    ['typo', 'procedure en cas de greve', 'greve'],
    ['typo', 'acessibilité fauteuil', 'pmr'],
    ['synonym', 'Quel est le salaire pendant la formation de conducteur ?', 'recrutement'],
    ['synonym', 'peut-on embarquer une bicyclette ?', 'velos'],
    ['follow-up', 'Et pour les chiens ?', 'tarifs', 'pmr'],
    ['follow-up', "et si le train a plus d'une heure de retard ?", 'retards'],
    ['two topics', 'Pendant les travaux, les cars prennent-ils les vélos ?', 'travaux'],
    ['two topics', 'le ton à employer pour annoncer une grève', 'greve', 'ton'],
    [
      'prompt',
      'Écris un post LinkedIn pour recruter des conductrices de train à Marvejols',
      'recrutement',
      'instagram',
    ],
    ['prompt', 'Rédige un message aux voyageurs : le train de ce soir est supprimé', 'ton'],
    ['prompt', 'Fais-moi une affiche pour le Train des étoiles avec les prix', 'train-etoiles'],
    ['no answer', 'Y a-t-il une voiture-restaurant à bord ?'],
    ['no answer', 'Quel est le numéro de SIRET ?'],
  ],
};
