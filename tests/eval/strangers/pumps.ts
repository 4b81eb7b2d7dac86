import type { StrangerBrand } from './brand.ts';

/** A maker of industrial pumps: codes, units, certificates, spare parts. */
export const PUMPS: StrangerBrand = {
  space: 'Pompes Vaubert',
  memories: [
    [
      'societe',
      'IDENTITY',
      'Pompes Vaubert SAS',
      "Constructeur de pompes centrifuges et volumétriques à Oyonnax (Ain) depuis 1954. Deux usines, 168 personnes, 31 M€ de chiffre d'affaires en 2025 dont 58 % à l'export. Certifiée ISO 9001:2015 et ISO 14001:2015. Filiales à Mannheim et à Casablanca. Présidente : Claire Vaubert-Nicod.",
    ],
    [
      'vc40',
      'ITEMS',
      'VC-40 - Pompe centrifuge monobloc',
      `| Caractéristique | Valeur |
| --- | --- |
| Débit | 5 à 40 m³/h |
| HMT | 12 à 48 m |
| Puissance | 5,5 kW, 400 V tri, 50 Hz |
| Vitesse | 2 900 tr/min |
| Température | -10 à +110 °C |
| Corps | fonte EN-GJL-250 |
| Roue | inox 316L |
| Masse | 62 kg |
| Réf. | 114-0040-F |

Garniture mécanique carbone / carbure de silicium. Ne pas faire tourner à sec plus de 30 secondes.`,
    ],
    [
      'vc80',
      'ITEMS',
      'VC-80 - Pompe centrifuge monobloc',
      `| Caractéristique | Valeur |
| --- | --- |
| Débit | 20 à 80 m³/h |
| HMT | 15 à 60 m |
| Puissance | 15 kW, 400 V tri, 50 Hz |
| Vitesse | 2 900 tr/min |
| Température | -10 à +110 °C |
| Corps | fonte EN-GJL-250 |
| Roue | bronze CuSn10 |
| Masse | 138 kg |
| Réf. | 114-0080-F |

Garniture mécanique carbone / carbure de silicium. Existe en corps inox (114-0080-X), délai 9 semaines.`,
    ],
    [
      'vp12',
      'ITEMS',
      'VP-12 - Pompe péristaltique',
      "Pour produits chargés, abrasifs ou fragiles (boues, vin, ciment). Débit 0,5 à 12 m³/h, pression 8 bar maxi, auto-amorçante jusqu'à 9 mètres. Tuyau en caoutchouc naturel, NBR ou EPDM alimentaire, durée de vie 3 000 heures environ. Le tuyau se change en 40 min sans démonter le moteur. Réf. 220-0012. Prix public : 4 870 € HT.",
    ],
    [
      'vx',
      'ITEMS',
      'Gamme VX ATEX',
      "Pompes pour zones explosibles, groupe II, catégories 2G et 2D, T4. Marquage : CE Ex II 2G Ex h IIB T4 Gb. Certificat INERIS 21ATEX0034X. Débits de 2 à 60 m3/h. Obligatoire pour le transfert de solvants et d'éthanol. Toute réparation hors de nos ateliers annule le certificat.",
    ],
    [
      'hors-gamme',
      'KNOWLEDGE',
      'Ce que nous ne faisons pas',
      'Pas de pompes immergées, pas de pompes de piscine, pas de vente aux particuliers, pas de pompes doseuses sous 50 l/h. Orienter vers un distributeur ou vers notre partenaire Milton Roy pour le dosage. Nous ne fabriquons rien en Asie.',
    ],
    [
      'garantie',
      'KNOWLEDGE',
      'Conditions de garantie',
      "24 mois à compter de la livraison, 36 mois si la mise en service est faite par un technicien Vaubert. Pièces d'usure exclues : garnitures, joints, tuyaux péristaltiques, roulements. La garantie tombe si la pompe a tourné à sec ou si un tiers l'a ouverte. Retour en port payé avec un n° de RMA demandé à sav@vaubert.example.",
    ],
    [
      'cavitation',
      'KNOWLEDGE',
      'Diagnostic : la pompe fait du bruit',
      `Un bruit de gravier indique presque toujours une cavitation.
1. Vérifier que la vanne d'aspiration est entièrement ouverte.
2. Mesurer le NPSH disponible ; il doit dépasser le NPSH requis d'au moins 0,5 m.
3. Nettoyer la crépine.
4. Vérifier la température : au-dessus de 80 °C l'eau se vaporise plus tôt.
Un sifflement vient plutôt d'une garniture usée, un battement d'un accouplement mal aligné (tolérance 0,05 mm). Si le bruit persiste, arrêter et appeler le SAV : 04 74 00 55 66, de 7 h 30 à 18 h.`,
    ],
    [
      'delais',
      'KNOWLEDGE',
      'Délais de livraison',
      'Pompes standard en fonte : 3 semaines. Inox : 9 semaines. ATEX : 12 semaines, certificat compris. Pièces de rechange en stock : expédiées le jour même si la commande arrive avant 14 h. Fermeture annuelle : semaines 32 et 33, plus du 24 décembre au 2 janvier. Expédition EXW Oyonnax, sauf accord.',
    ],
    [
      'pieces',
      'ITEMS',
      'Pièces de rechange courantes',
      `| Code | Désignation | Convient à | Prix HT |
| --- | --- | --- | --- |
| 900-1140 | Kit garniture mécanique Ø 28 | VC-40 | 186 € |
| 900-1180 | Kit garniture mécanique Ø 38 | VC-80 | 264 € |
| 900-2212 | Tuyau NBR | VP-12 | 312 € |
| 900-2213 | Tuyau EPDM alimentaire | VP-12 | 358 € |
| 900-3001 | Roulement 6308-2RS | VC-40, VC-80 | 41 € |
| 900-4410 | Joint torique FKM 110 × 3 | VX | 12 € |`,
    ],
    [
      'huile',
      'KNOWLEDGE',
      "Plan d'entretien VC",
      'Toutes les 2 000 h : contrôle visuel de la garniture, resserrage, mesure des vibrations (alarme à 4,5 mm/s). Toutes les 8 000 h : remplacement des roulements et du joint de corps. Toutes les 16 000 h : révision en usine, environ 35 % du prix neuf. Graissage : 12 g de graisse lithium NLGI 2 toutes les 4 000 h. Ne pas dépasser, un excès de graisse chauffe le palier.',
    ],
    [
      'style',
      'GUIDELINES',
      'Style rédactionnel technique',
      "Unités SI avec espace insécable : 40 m³/h, 8 bar, 5,5 kW. Virgule décimale. Pas de superlatif, pas de « leader ». On écrit « la pompe », pas « le produit ». Une fiche tient sur une page A4. Les noms de gamme s'écrivent en capitales avec trait d'union : VC-40, VP-12. Vouvoiement. En anglais : metric first, US gpm in brackets.",
    ],
    [
      'couleur',
      'GUIDELINES',
      'Couleurs des machines et logo',
      "Les pompes sont peintes en vert Vaubert RAL 6005, les capots en gris RAL 7016, les organes ATEX en jaune RAL 1018. Le logo est vert sur blanc, jamais l'inverse ; sur fond sombre on prend la version grise. Largeur minimale : 22 mm.",
    ],
    [
      'reference-vin',
      'KNOWLEDGE',
      'Référence client : cave de Tain',
      "La cave de Tain a remplacé en 2023 six pompes à vis par des VP-12 EPDM pour le transfert de la vendange. Consommation électrique divisée par deux (de 14 à 7 kWh par tonne), aucune casse de baies, retour sur investissement en 26 mois. Citation de Luc Verrier, maître de chai : « On ne l'entend plus, et le vin non plus. » Utilisation autorisée sur le site et en salon, pas dans la presse.",
    ],
    [
      'salon',
      'KNOWLEDGE',
      'Salons 2026-2027',
      `- Pollutec, Lyon, 12-15 oct. 2027, hall 4, stand C112
- Vinitech, Bordeaux, du 24 au 26 novembre 2026, stand B0407, avec la VP-12 en démonstration
- IFAT, Munich, mai 2026 (fait : 143 contacts)
Budget salons : 95 k€ par an. Responsable : Mathis Juillard.`,
    ],
    [
      'commercial',
      'PEOPLE',
      'Réseau commercial',
      'Nord et Benelux : Fanny Delattre. Ouest : Gildas Morvan. Sud-Est et Italie : Pietro Salvi. Sud-Ouest et Espagne : Amaia Etcheverry. Afrique du Nord : Karim Bensaïd, à Casablanca. Allemagne, Autriche, Suisse : Jürgen Roth, à Mannheim. Remise maximale sans accord de la direction : 12 %.',
    ],
  ],
  questions: [
    ['question', 'Quel est le débit maximal de la VC-80 ?', 'vc80'],
    ['question', 'Quelle est la durée de garantie ?', 'garantie'],
    ['question', 'Quel tuyau choisir pour un usage alimentaire ?', 'vp12', 'pieces'],
    ['question', 'Qui est le commercial pour la Belgique ou le Benelux ?', 'commercial'],
    ['question', 'Quel est le délai pour une pompe en inox ?', 'delais', 'vc80'],
    ['question', 'Quelle couleur RAL pour les pompes ?', 'couleur'],
    ['other form', 'Pourquoi ma pompe est-elle bruyante ?', 'cavitation'],
    ['other form', 'Vendez-vous à un particulier ?', 'hors-gamme'],
    ['other form', 'Comment graisser les paliers ?', 'huile'],
    ['other form', 'La pompe a été réparée ailleurs, est-elle encore certifiée ATEX ?', 'vx'],
    ['other form', 'Quand livrez-vous une pompe standard ?', 'delais'],
    ['other form', 'comment entretenir une VC40', 'huile'],
    ['other form', 'à quelle fréquence remplacer le roulement ?', 'huile'],
    ['figure or date', 'pompe 40m3/h', 'vc40', 'vc80', 'style'],
    ['figure or date', 'réf 1140080X', 'vc80'],
    ['figure or date', 'certificat 21 ATEX 0034 X', 'vx'],
    ['figure or date', 'moteur de 5.5 kW', 'vc40'],
    ['figure or date', 'garantie de deux ans', 'garantie'],
    ['figure or date', 'code 900 2213', 'pieces'],
    ['figure or date', 'pression de huit bars', 'vp12'],
    ['figure or date', 'RAL6005', 'couleur'],
    ['typo', 'pompe peristatique pour le vin', 'vp12', 'reference-vin'],
    ['typo', 'cavitasion', 'cavitation'],
    ['typo', 'delai livraison piece detachee', 'delais'],
    ['synonym', 'Quel est le poids de la VC-40 ?', 'vc40'],
    ['synonym', 'tarif du kit garniture VC-80', 'pieces'],
    ['follow-up', 'et la VC-40, elle pèse combien ?', 'vc40'],
    ['follow-up', 'Et en Allemagne, qui appeler ?', 'commercial'],
    ['two topics', 'prix et durée de vie du tuyau NBR de la VP-12', 'pieces', 'vp12'],
    ['two topics', 'Sommes-nous à Vinitech et avec quelle pompe ?', 'salon'],
    ['prompt', 'Écris un article LinkedIn sur la cave de Tain et les économies d’énergie', 'reference-vin'],
    ['prompt', 'Rédige un e-mail au client dont la VC-80 siffle', 'cavitation', 'vc80'],
    ['prompt', 'Draft a product sheet for the VP-12', 'vp12', 'style'],
    ['no answer', 'Louez-vous des pompes ?'],
    ['no answer', 'Quel est le taux de TVA applicable à Mayotte ?'],
  ],
};
