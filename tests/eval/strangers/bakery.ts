import type { StrangerBrand } from './brand.ts';

/** A chain of bakeries: recipes, shops, allergens, suppliers, franchise. */
export const BAKERY: StrangerBrand = {
  space: 'Fournil Kerbrat',
  memories: [
    [
      'histoire',
      'IDENTITY',
      'Histoire',
      "Yann Kerbrat ouvre son premier fournil à Douarnenez le 14 mars 1996, avec un four à bois acheté d'occasion. Sa fille Enora reprend la maison en 2017. Aujourd'hui, 23 boutiques en Bretagne et en Loire-Atlantique, 310 salariés, un laboratoire à Châteaulin. La famille détient toujours 100 % du capital.",
    ],
    [
      'promesse',
      'IDENTITY',
      'Notre promesse',
      'Du pain de la veille au lendemain : pétri le soir, reposé 18 heures, cuit devant vous. Pas de pâton surgelé, jamais. Pas de publicité comparative. Signature : « Le temps fait le pain ».',
    ],
    [
      'ton',
      'GUIDELINES',
      'Tone of voice',
      `Simple, gourmand, un peu bourru.
OUI : des verbes, des gestes, des heures. « On pétrit à 21 h. »
NON : « artisanal », « d'antan », « gourmandise », « passion », « savoir-faire ».
On vouvoie en boutique, on tutoie sur Instagram.
Répondre aux avis négatifs : sous 24 h, signé d'un prénom, on invite à repasser, on n'offre jamais de cadeau par écrit.`,
    ],
    [
      'tourte',
      'ITEMS',
      'Fiche produit : tourte de seigle',
      'Farine de seigle T130 (85 %), farine de blé T80 (15 %), eau, levain de seigle, sel de Guérande 18 g/kg. Cuisson 55 min à 250 °C puis chute à 210 °C. Poids : 1,2 kg. Prix : 9,40 € le kilo. Se garde une semaine dans un torchon. Allergènes : gluten. Peut contenir des traces de sésame et de fruits à coque.',
    ],
    [
      'baguette',
      'ITEMS',
      'Fiche produit : baguette Kerbrat',
      'Farine de blé T65 label rouge, eau, sel 18 g/kg, levure 3 g/kg, levain liquide. Pointage 18 h à 4 °C. Cuisson 22 min à 255 °C. Poids 250 g. Prix 1,25 €, 1,15 € par trois. Allergènes : gluten. Meilleure dans les 8 heures.',
    ],
    [
      'kouign',
      'ITEMS',
      'Fiche produit : kouign-amann',
      "Pâte à pain 400 g, beurre demi-sel 300 g, sucre 300 g pour un gâteau de 8 parts. Le beurre vient de la laiterie Le Gall. Prix : 16,50 € le grand, 2,60 € l'individuel. Se réchauffe 5 min à 150 °C, pas au micro-ondes. Allergènes : gluten, lait.",
    ],
    [
      'galette-rois',
      'ITEMS',
      'Galette des rois 2027',
      'Vendue du 2 au 31 janvier. Trois recettes : frangipane amande (4 / 6 / 8 parts : 18 € / 26 € / 34 €), pomme-blé noir (17 € / 25 € / 33 €), et la nouvelle, noisette-cédrat (20 € / 29 € / 38 €). Fèves dessinées par la céramiste Maëlle Riou : six phares. Précommande à partir du 10 décembre, acompte de 5 €. Allergènes : gluten, lait, œuf, fruits à coque.',
    ],
    [
      'galette-2026',
      'ITEMS',
      'Galette des rois 2026',
      'Bilan : 11 240 galettes vendues, dont 7 900 frangipane. Deux recettes : frangipane amande (17 € les 4 parts) et pomme-blé noir (16 €). Les fèves représentaient des oiseaux marins. Rupture le 6 janvier à midi dans neuf boutiques : il manquait 600 pièces.',
    ],
    [
      'allergenes',
      'KNOWLEDGE',
      'Tableau des allergènes',
      `| Produit | Gluten | Lait | Œuf | Fruits à coque | Sésame | Soja |
| --- | --- | --- | --- | --- | --- | --- |
| Baguette | oui | non | non | traces | traces | non |
| Tourte | oui | non | non | traces | traces | non |
| Croissant | oui | oui | oui | traces | non | non |
| Far breton | oui | oui | oui | non | non | non |
| Pain de mie | oui | oui | non | non | non | oui |
| Sablé au blé noir | traces | oui | oui | non | non | non |

Aucun produit n'est garanti sans gluten : le blé noir est moulu dans le même atelier.`,
    ],
    [
      'fournisseurs',
      'KNOWLEDGE',
      'Fournisseurs',
      'Farines : Moulin de Corbières-en-Poher et minoterie Paulic. Beurre : laiterie Le Gall, Quimper. Œufs : ferme de Kervern, plein air, code 1. Sel : Les Salines de Guérande. Sucre : Daddy. Café : torréfacteur Lobodis, équitable. Emballages : papeterie Cascades, sacs kraft 100 % recyclés. Contrats revus chaque année en novembre par Gwenaël Tanguy, responsable des achats.',
    ],
    [
      'boutiques',
      'KNOWLEDGE',
      'Liste des boutiques (extrait)',
      `| Ville | Adresse | Ouverture | Fermeture hebdo |
| --- | --- | --- | --- |
| Douarnenez | 4 rue Duguay-Trouin | 6 h 30 - 19 h 30 | lundi |
| Quimper | 17 rue Kéréon | 7 h - 20 h | aucune |
| Brest Siam | 52 rue de Siam | 7 h - 20 h | dimanche |
| Nantes Talensac | 9 rue de Bel-Air | 7 h - 19 h 30 | lundi |
| Rennes Lices | 3 place des Lices | 6 h 30 - 20 h | mardi |`,
    ],
    [
      'lorient',
      'KNOWLEDGE',
      'Ouverture de Lorient',
      "24e boutique, 31 rue de la Patrie, Lorient. Ouverture le mercredi 9 septembre 2026 à 7 h. Équipe de 11 personnes menée par Soizic Le Bihan. Opération d'ouverture : une baguette offerte aux 300 premiers clients, fest-noz le samedi 12. Travaux confiés à l'agence Bois Brûlé. Budget : 420 k€.",
    ],
    [
      'invendus',
      'KNOWLEDGE',
      'Invendus et antigaspi',
      'Les invendus du soir vont aux Restos du cœur (15 boutiques) ou à Too Good To Go (8 boutiques, panier à 3,99 €). Le pain rassis devient de la chapelure ou la bière La Miche, brassée par Coreff. Taux de perte : 4,1 % en 2025, objectif 3 % en 2027. Nous ne jetons rien à la poubelle depuis 2021.',
    ],
    [
      'franchise',
      'KNOWLEDGE',
      'Pas de franchise',
      "Nous ne franchisons pas. Toutes les boutiques sont détenues en propre et le resteront : Enora Kerbrat l'a dit au Télégramme le 21 février 2025. Réponse type aux demandes : remercier, expliquer en deux phrases, proposer de visiter le laboratoire. Pas de développement hors de l'Ouest avant 2030.",
    ],
    [
      'carte-fidelite',
      'ITEMS',
      'Carte de fidélité La Dizaine',
      "Dix pains achetés, le onzième offert (au plus 4 €). Carte en carton ou dans l'appli. Valable 12 mois. Non cumulable avec le tarif par trois. 41 000 cartes actives. La carte ne donne droit à rien sur la pâtisserie.",
    ],
    [
      'recruter',
      'KNOWLEDGE',
      'Recrutement et apprentissage',
      'Nous formons 28 apprentis boulangers, pâtissiers et vendeuses par an avec le CFA de Ploufragan. Repos : deux jours consécutifs, dont un dimanche sur deux. Travail de nuit payé +25 %. Pas de coupure dans la journée. Contact : rh@kerbrat.example. Tutrice : Nolwenn Guégan.',
    ],
  ],
  questions: [
    ['question', 'Quels allergènes dans le croissant ?', 'allergenes'],
    ['question', 'Combien de temps la tourte se conserve-t-elle ?', 'tourte'],
    ['question', 'Quelle boutique est ouverte le lundi à Quimper ?', 'boutiques'],
    ['question', 'Quand ouvre la boutique de Lorient ?', 'lorient'],
    ['question', "D'où vient le beurre du kouign-amann ?", 'kouign'],
    ['question', 'Quels mots ne doit-on pas employer ?', 'ton'],
    ['question', 'Combien de galettes avons-nous vendues en 2026 ?', 'galette-2026'],
    ['other form', 'Peut-on devenir franchisé ?', 'franchise'],
    ['other form', 'Qui fournit la farine ?', 'fournisseurs'],
    ['other form', 'Que fait-on du pain invendu ?', 'invendus'],
    ['other form', 'À quelle température cuire la baguette ?', 'baguette'],
    ['other form', 'Qui a dessiné la fève ?', 'galette-rois'],
    ['other form', "depuis combien d'années Enora a-t-elle repris l'entreprise ?", 'histoire'],
    ['other form', 'où sont formées les apprenties ?', 'recruter'],
    ['other form', 'Comment réchauffer un kouign amann ?', 'kouign'],
    ['figure or date', 'pain de 1200 g', 'tourte'],
    ['figure or date', 'Ouverture du 09/09/2026', 'lorient'],
    ['figure or date', 'un four à 250°C pendant 55 minutes', 'tourte'],
    ['figure or date', '24ème boutique', 'lorient'],
    ['figure or date', 'les 11 240 galettes', 'galette-2026'],
    ['typo', 'kouing aman prix', 'kouign'],
    ['typo', 'carte fidelitee la dizaine', 'carte-fidelite'],
    ['typo', 'fourniseur de café', 'fournisseurs'],
    ['synonym', 'Le sarrasin est-il sans gluten ?', 'allergenes'],
    ['synonym', 'comment répondre à un commentaire méchant sur Google ?', 'ton'],
    ['follow-up', 'et la tourte, elle coûte combien ?', 'tourte'],
    ['follow-up', 'Et celle à la noisette ?', 'galette-rois'],
    ['two topics', 'prix de la baguette et du kouign-amann individuel', 'baguette', 'kouign'],
    ['two topics', 'Le tarif par trois est-il compatible avec la carte de fidélité ?', 'carte-fidelite'],
    ['prompt', 'Écris un post Instagram pour les galettes de janvier 2027', 'galette-rois', 'ton'],
    ['prompt', "Rédige une annonce pour l'ouverture de notre nouvelle boulangerie de Lorient", 'lorient'],
    ['prompt', 'écris une réponse à quelqu’un qui demande à ouvrir une franchise à Paris', 'franchise'],
    ['no answer', 'Livrez-vous à domicile ?'],
    ['no answer', 'Quel est le chiffre d’affaires de la boutique de Vannes ?'],
  ],
};
