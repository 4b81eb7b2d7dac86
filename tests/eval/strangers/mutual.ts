import type { StrangerBrand } from './brand.ts';

/** An insurance mutual: guarantees, exclusions, claims, legal notices. */
export const MUTUAL: StrangerBrand = {
  space: 'Mutuelle Rivesaine',
  memories: [
    [
      'identite',
      'IDENTITY',
      'Identité de la mutuelle',
      "La Rivesaine est une mutuelle régie par le livre II du Code de la mutualité, fondée en 1921 par les ouvriers papetiers d'Angoulême. 86 000 adhérents, 19 agences en Nouvelle-Aquitaine. Elle n'a pas d'actionnaires. Président : Michel Sabourin, élu le 12 juin 2024 pour six ans. Slogan : « Tenir ensemble ».",
    ],
    [
      'vocabulaire',
      'GUIDELINES',
      'Les mots que nous employons',
      `| Dire | Ne pas dire |
| --- | --- |
| adhérent, adhérente | client, assuré |
| cotisation | prime, tarif |
| garantie | produit |
| conseillère, conseiller | commercial |
| décès | disparition |
Phrases courtes, pas de sigle sans l'écrire en entier la première fois. Nous écrivons en police 12 au moins dans les courriers. Écriture inclusive : doublets, pas de point médian.`,
    ],
    [
      'sante-essentielle',
      'ITEMS',
      'Garantie Santé Essentielle',
      `Cotisation : 32,40 € par mois (adulte de 35 ans).
| Poste | Remboursement |
| --- | --- |
| Consultation généraliste | 100 % BR |
| Hospitalisation, forfait journalier | 20 €/jour, sans limite |
| Optique (monture + 2 verres simples) | 100 % Santé, sinon 100 € tous les 2 ans |
| Dentaire, couronne | 125 % BR |
| Audition | 100 % Santé |
| Médecines douces | non couvert |
Délai de carence : aucun.`,
    ],
    [
      'sante-confort',
      'ITEMS',
      'Garantie Santé Confort',
      `Cotisation : 58,90 € par mois (adulte de 35 ans).
| Poste | Remboursement |
| --- | --- |
| Consultation généraliste | 150 % BR |
| Hospitalisation, chambre particulière | 60 €/nuit, 30 nuits par an |
| Optique (monture + 2 verres simples) | 250 € tous les 2 ans |
| Dentaire, couronne | 250 % BR |
| Audition | 800 € par oreille |
| Médecines douces | 4 séances de 35 € (ostéopathe, chiropracteur, diététicienne) |
Délai de carence : 3 mois pour le dentaire.`,
    ],
    [
      'habitation',
      'ITEMS',
      'Assurance habitation Toit',
      "Couvre l'incendie, le dégât des eaux, le vol, le bris de glace, la catastrophe naturelle et la responsabilité civile. Franchise : 150 € (380 € pour les catastrophes naturelles, fixée par la loi). Le vol n'est couvert que si la porte a une serrure à trois points. Ne couvre pas : la piscine, les objets de valeur au-delà de 8 000 €, la maison inhabitée plus de 90 jours de suite.",
    ],
    [
      'sinistre',
      'KNOWLEDGE',
      'Déclarer un sinistre',
      "Délai : 5 jours ouvrés, 2 jours pour un vol, 30 jours après la parution de l'arrêté pour une catastrophe naturelle. Par l'appli, par téléphone (05 45 00 80 80, 24 h/24) ou en agence. Joindre des photos, les factures et, pour un vol, le récépissé du dépôt de plainte. Un expert passe si les dommages dépassent 1 600 €. Nous versons un acompte sous 8 jours.",
    ],
    [
      'resilier',
      'KNOWLEDGE',
      'Résiliation par l’adhérent',
      "Après un an, à tout moment, sans frais ni motif, avec effet un mois après la demande (loi du 14 juillet 2019). La première année : seulement en cas de changement de situation (déménagement, mariage, retraite, mutuelle d'entreprise obligatoire). Nous n'essayons pas de retenir un adhérent plus d'une fois. Cotisation trop perçue remboursée sous 30 jours.",
    ],
    [
      'teletransmission',
      'KNOWLEDGE',
      'Délais de remboursement santé',
      "48 heures après le décompte de l'Assurance maladie si la télétransmission (Noémie) est active ; 5 jours ouvrés sur facture papier. Le tiers payant évite l'avance chez 97 % des pharmaciens. Pour les lunettes et les prothèses, demander un devis : prise en charge sous 24 h.",
    ],
    [
      'prevoyance',
      'ITEMS',
      'Prévoyance Artisans',
      "Indemnités journalières de 30 à 120 € par jour en cas d'arrêt de travail, après 15 jours de franchise (3 jours en cas d'accident ou d'hospitalisation), pendant 365 jours au plus. Capital décès : 25 000 à 200 000 €. Questionnaire médical au-delà de 80 000 €. Exclusions : sports aériens, dos et burn-out la première année. Cotisation déductible (loi Madelin).",
    ],
    [
      'reclamation',
      'KNOWLEDGE',
      'Réclamations et médiation',
      "Accusé de réception sous 10 jours ouvrables, réponse sous deux mois au plus. Service réclamations : BP 40312, 16008 Angoulême Cedex. Ensuite, le Médiateur de la Mutualité française, gratuit, saisi en ligne dans l'année. En 2025 : 1 127 réclamations, 38 médiations, 71 % en faveur de l'adhérent. On ne répond jamais par un modèle type.",
    ],
    [
      'mentions',
      'GUIDELINES',
      'Mentions légales obligatoires',
      'Toute publicité porte : « Mutuelle Rivesaine, mutuelle soumise aux dispositions du livre II du Code de la mutualité, SIREN 781 166 210, siège : 3 rampe du Secours, 16000 Angoulême. » Si un prix est cité, écrire aussi : « Exemple de cotisation au 01/01/2026 pour un adulte de 35 ans. » Ne jamais écrire « gratuit », ni « le moins cher ».',
    ],
    [
      'agences',
      'KNOWLEDGE',
      'Agences',
      "Angoulême Champ-de-Mars (lun.-ven. 9 h-18 h, sam. 9 h-12 h), Cognac, Saintes, Niort Brèche, Poitiers Notre-Dame, Limoges Jourdan, Périgueux, Bordeaux Chartrons (sur rendez-vous), La Rochelle Minimes. L'agence de Royan est fermée depuis le 31 mars 2025. Un camion-agence passe chaque mois à Ruffec, Confolens et Nontron.",
    ],
    [
      'ag',
      'KNOWLEDGE',
      'Assemblée générale 2026',
      "Samedi 20 juin 2026, 9 h 30, espace Carat à L'Isle-d'Espagnac. 150 délégués. Ordre du jour : comptes 2025 (résultat +2,1 M€), hausse des cotisations limitée à 3,8 %, élection de quatre administratrices et administrateurs. Vote électronique possible du 5 au 18 juin. Les documents sont envoyés quinze jours avant.",
    ],
    [
      'ag-2025',
      'KNOWLEDGE',
      'Assemblée générale 2025',
      'Samedi 21 juin 2025 à Niort. 138 délégués présents. Comptes 2024 approuvés (résultat +0,9 M€), hausse des cotisations de 6,2 %, statuts modifiés (article 14, vote à distance). Fusion avec la mutuelle des Tanneurs rejetée par 81 voix contre 57.',
    ],
    [
      'jeunes',
      'ITEMS',
      'Offre Premiers pas (18-28 ans)',
      "Santé Essentielle à 19,90 € par mois la première année, puis -10 % jusqu'à 28 ans. Deux consultations de psychologue remboursées à 40 €. Contraception et sevrage tabagique : 60 € par an. Adhésion en ligne en 8 minutes, signature électronique, carte de tiers payant sur le téléphone. Parrainage : 30 € pour chacun.",
    ],
    [
      'fondation',
      'KNOWLEDGE',
      'Fonds de solidarité',
      "Un adhérent en difficulté peut demander une aide : reste à charge dentaire, appareil auditif, obsèques. Commission tous les premiers mardis du mois, anonyme. Plafond : 1 500 € par foyer et par an. 412 aides accordées en 2025, pour 286 000 €. Il faut être adhérent depuis plus d'un an. Contact : assistante sociale Maryse Blanchet.",
    ],
  ],
  questions: [
    ['question', 'Combien rembourse Santé Confort pour les lunettes ?', 'sante-confort'],
    ['question', 'En combien de temps faut-il déclarer un vol ?', 'sinistre'],
    ['question', 'Quelle est la franchise en cas de catastrophe naturelle ?', 'habitation'],
    ['question', 'Quand a lieu la prochaine assemblée générale ?', 'ag'],
    ['question', 'Quelles mentions doit porter une publicité ?', 'mentions'],
    ['question', 'La piscine est-elle assurée ?', 'habitation'],
    ['question', "L'agence de Royan est-elle ouverte ?", 'agences'],
    ['other form', 'Comment un adhérent peut-il résilier ?', 'resilier'],
    ['other form', 'Qui préside la mutuelle ?', 'identite'],
    ['other form', 'quels soins ne sont pas couverts par Essentielle', 'sante-essentielle'],
    ['other form', "L'ostéopathie est-elle remboursée ?", 'sante-confort'],
    ['other form', 'Que faire si un adhérent réclame ?', 'reclamation'],
    ['other form', 'On m’a volé mon vélo dans le garage, suis-je couverte ?', 'habitation', 'sinistre'],
    ['other form', 'De combien les cotisations ont-elles augmenté en 2025 ?', 'ag-2025'],
    ['other form', 'comment dit-on : assurée ou adhérente ?', 'vocabulaire'],
    ['figure or date', 'chambre particulière à 60 euros', 'sante-confort'],
    ['figure or date', 'Ass. gén. du 20/06/2026', 'ag'],
    ['figure or date', 'loi du 14/07/2019', 'resilier'],
    ['figure or date', 'SIREN 781166210', 'mentions'],
    ['figure or date', 'arrêt de travail de quinze jours', 'prevoyance'],
    ['figure or date', 'franchise 150€', 'habitation'],
    ['typo', 'teletransmision noemie', 'teletransmission'],
    ['typo', 'capital deces artisant', 'prevoyance'],
    ['typo', 'depot de plinte vol', 'sinistre'],
    ['synonym', 'Y a-t-il une offre pour les étudiants ?', 'jeunes'],
    ['synonym', 'aide financière pour un enterrement', 'fondation'],
    [
      'synonym',
      'un dentiste m’a posé une couronne, combien est remboursé ?',
      'sante-confort',
      'sante-essentielle',
    ],
    ['follow-up', 'Et avec Santé Confort ?', 'sante-confort'],
    ['follow-up', 'et la première année ?', 'resilier', 'jeunes', 'prevoyance'],
    [
      'two topics',
      'différence entre Essentielle et Confort pour une couronne',
      'sante-essentielle',
      'sante-confort',
    ],
    ['two topics', 'délai de remboursement et tiers payant en pharmacie', 'teletransmission'],
    [
      'prompt',
      'Écris une affiche pour les 18-28 ans avec la cotisation et les mentions légales',
      'jeunes',
      'mentions',
    ],
    [
      'prompt',
      "Répondez à une adhérente dont le dégât des eaux n'a pas été remboursé",
      'reclamation',
      'sinistre',
      'habitation',
    ],
    ['prompt', 'post LinkedIn : les résultats de notre assemblée générale 2026', 'ag'],
    ['no answer', 'Assurez-vous les voitures électriques ?'],
    ['no answer', 'Combien gagne un conseiller ?'],
  ],
};
