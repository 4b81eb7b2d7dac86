/** A worn-out way of writing, with what to write instead. */
type BannedConstruction = {
  id: string;
  /** Matched on folded text (see `fold`): lower case, no accents, straight apostrophes, single spaces. Gaps are bounded. */
  pattern: RegExp;
  /** French; shown to whoever wrote it. */
  explanation: string;
  bad: string;
  better: string;
};

const CONTRAST =
  'Opposer ce que la chose n’est pas à ce qu’elle est sonne comme une machine. Dites ce qu’elle est.';
const HOLLOW = 'Ce superlatif ne dit rien qu’un concurrent ne puisse dire. Donnez un détail qui se vérifie.';
const ORDER = 'Cet impératif de publicité promet sans rien montrer. Dites ce que la personne obtient.';
const SCENERY = 'Cette entrée en matière convient à n’importe quel sujet. Commencez par le vôtre.';
const FILLER = 'Cette formule de remplissage n’apporte rien. Enlevez-la.';

/** Constructions that no render may carry. */
export const BANNED_CONSTRUCTIONS: readonly BannedConstruction[] = [
  {
    id: 'pas-seulement',
    pattern:
      /\bn'(?:est|etait|sont) pas (?:seulement|juste|simplement|uniquement|qu'une?|une? simple)\b[^.!?]{0,80}?\b(?:c'est|ce sont|mais)\b/g,
    explanation: CONTRAST,
    bad: 'Ce n’est pas seulement un sac, c’est un art de vivre.',
    better: 'Ce sac est cousu à la main, à Nantes.',
  },
  {
    id: 'pas-un-c-est',
    pattern: /\bce n'est pas (?:une? |du |de |des |la |le |les |l')[^,;:.!?]{1,60}[,;:.] ?c'est\b/g,
    explanation: CONTRAST,
    bad: 'Ce n’est pas une crème. C’est un rituel.',
    better: 'Une crème à poser le soir, en massant du bout des doigts.',
  },
  {
    id: 'plus-qu-un',
    // « Plus qu’un jour : … » counts what is left.
    pattern:
      /\bplus qu'une? (?:simple )?(?!(?:jour|soir|matin|week-end|mois|an|heure|minute|seconde|semaine|journee|nuit|exemplaire|place|piece) ?[,:])[a-z'-]{2,30} ?[,:]/g,
    explanation: CONTRAST,
    bad: 'Plus qu’un sac, un compagnon de route.',
    better: 'Un sac qui tient debout, même vide.',
  },
  {
    id: 'sans-ceci-sans-cela-juste',
    pattern:
      /\b(?:pas de|zero|sans|aucune?) [^.,!?]{1,30}[.,] ?(?:pas de|zero|sans|aucune?) [^.,!?]{1,30}[.,] ?(?:juste|seulement|rien que|que du|que de)\b/g,
    explanation: CONTRAST,
    bad: 'Pas de sucre. Pas de compromis. Juste du goût.',
    better: 'Des pommes, et rien d’autre dans le pot.',
  },
  {
    id: 'plongez-dans',
    pattern:
      /\bplongez (?:dans|au coeur)\b|\bplonger (?:au coeur|dans (?:l'univers|un univers|le monde|un monde|l'histoire|une experience))\b/g,
    explanation: ORDER,
    bad: 'Plongez dans l’univers du café.',
    better: 'Six cafés à goûter avant de choisir le vôtre.',
  },
  {
    id: 'revolutionnez',
    pattern: /\brevolutionn(?:e|es|ez|ent|er|ons|aires?)\b/g,
    explanation: HOLLOW,
    bad: 'Révolutionnez votre routine du matin.',
    better: 'Le café coule pendant que vous vous habillez.',
  },
  {
    id: 'reinventez',
    pattern: /\breinvent(?:e|es|ez|ent|er|ons|ee|ees)\b/g,
    explanation: HOLLOW,
    bad: 'La chaise, réinventée.',
    better: 'Une chaise qui se plie d’une seule main.',
  },
  {
    id: 'liberez-le-potentiel',
    pattern:
      /\b(?:liber|revel|exploit|debloqu|decupl|deploy)(?:e|es|ez|er) (?:tout )?(?:le|votre|vos|son|leur|ton) (?:plein )?potentiel\b/g,
    explanation: ORDER,
    bad: 'Libérez le potentiel de votre équipe.',
    better: 'Votre équipe voit le même planning, à la même heure.',
  },
  {
    id: 'niveau-superieur',
    pattern: /\b(?:au|a un|vers un|vers le) (?:niveau superieur|autre niveau|tout autre niveau)\b/g,
    explanation: ORDER,
    bad: 'Passez votre cuisine au niveau supérieur.',
    better: 'Un couteau qui garde son fil tout l’hiver.',
  },
  {
    id: 'boostez',
    pattern: /\bboost(?:e|es|ez|ent|er|ons)\b/g,
    explanation: ORDER,
    bad: 'Boostez vos ventes !',
    better: 'Relancez vos clients le jour où leur stock s’épuise.',
  },
  {
    id: 'sublimez',
    pattern: /\bsublim(?:e|es|ez|ent|er|ons)\b/g,
    explanation: ORDER,
    bad: 'Sublimez votre intérieur.',
    better: 'Une lampe qui éclaire la table sans éblouir.',
  },
  {
    id: 'elevez-votre',
    pattern: /\belevez (?:votre|vos|le|la|l')/g,
    explanation: ORDER,
    bad: 'Élevez votre quotidien.',
    better: 'Un bureau qui se règle assis ou debout.',
  },
  {
    id: 'transformez-votre-vie',
    pattern:
      /\btransform(?:e|es|ez|er) (?:votre|vos|ta|ton|sa|son) (?:vie|quotidien|facon de|maniere de|routine)\b/g,
    explanation: ORDER,
    bad: 'Transformez votre quotidien dès ce matin.',
    better: 'Votre liste de courses se fait toute seule.',
  },
  {
    id: 'dites-adieu',
    pattern: /\bdites (?:adieu|bonjour|au revoir) (?:a|au|aux)\b/g,
    explanation: ORDER,
    bad: 'Dites adieu aux taches.',
    better: 'Les taches de vin partent à l’eau froide.',
  },
  {
    id: 'ne-cherchez-plus',
    pattern: /\bne cherchez plus\b|\bcherchez pas plus loin\b/g,
    explanation: FILLER,
    bad: 'Ne cherchez plus, vous l’avez trouvé.',
    better: 'Un carnet qui s’ouvre à plat.',
  },
  {
    id: 'n-attendez-plus',
    pattern: /\bn'attendez (?:plus|pas)\b/g,
    explanation: ORDER,
    bad: 'N’attendez plus pour vous lancer.',
    better: 'Commandé avant midi, expédié le jour même.',
  },
  {
    id: 'imaginez-un-monde',
    pattern: /\bimaginez (?:un monde|une vie|un avenir|un instant|que|pouvoir)\b/g,
    explanation: SCENERY,
    bad: 'Imaginez un monde sans files d’attente.',
    better: 'Réservez votre créneau, entrez sans attendre.',
  },
  {
    id: 'et-si-vous-pouviez',
    pattern: /\bet si (?:vous|on|nous|tu) (?:pouviez|pouvait|pouvions|pouvais|osiez|osait)\b/g,
    explanation: SCENERY,
    bad: 'Et si vous pouviez dormir mieux ?',
    better: 'Un matelas ferme au dos, souple aux épaules.',
  },
  {
    id: 'a-l-ere-de',
    pattern: /\ba l'ere (?:de|du|des|d'|numerique|digitale|moderne)/g,
    explanation: SCENERY,
    bad: 'À l’ère du numérique, tout va vite.',
    better: 'Vos factures arrivent classées par fournisseur.',
  },
  {
    id: 'dans-un-monde-ou',
    pattern: /\bdans (?:un|ce) monde (?:ou|en|toujours plus|de plus en plus)\b/g,
    explanation: SCENERY,
    bad: 'Dans un monde où tout s’accélère, prenez le temps.',
    better: 'Dix minutes d’infusion, couvercle fermé.',
  },
  {
    id: 'en-constante-evolution',
    pattern: /\ben (?:constante|perpetuelle|pleine) (?:evolution|mutation|transformation)\b/g,
    explanation: SCENERY,
    bad: 'Un marché en constante évolution.',
    better: 'Les prix ont changé deux fois cette année.',
  },
  {
    id: 'que-vous-soyez',
    pattern: /\bque (?:vous soyez|tu sois) [^.!?]{1,60}? ou /g,
    explanation: SCENERY,
    bad: 'Que vous soyez débutant ou expert, ce four vous suit.',
    better: 'Un four qui règle seul la cuisson du pain.',
  },
  {
    id: 'bienvenue-dans',
    pattern: /\bbienvenue dans (?:l'univers|le monde|l'ere|l'avenir|le futur|une nouvelle)\b/g,
    explanation: SCENERY,
    bad: 'Bienvenue dans le futur de la mobilité.',
    better: 'Un vélo qui se charge à la prise du salon.',
  },
  {
    id: 'le-futur-commence',
    pattern:
      /\b(?:le futur|l'avenir)(?: (?:du|de la|de l'|des|de votre)[^.!?]{1,30}?)? (?:commence|s'ecrit|est deja|est la)\b/g,
    explanation: SCENERY,
    bad: 'Le futur de la cuisine commence ici.',
    better: 'Une plaque qui chauffe sans flamme.',
  },
  {
    id: 'faconner-l-avenir',
    pattern:
      /\b(?:faconn|dessin|construis|batiss)(?:e|es|ez|er|ons|ent) (?:l'avenir|le futur|demain|le monde de demain)\b/g,
    explanation: SCENERY,
    bad: 'Nous façonnons l’avenir du textile.',
    better: 'Nous tissons du lin récolté à trente kilomètres.',
  },
  {
    id: 'change-la-donne',
    pattern: /\bgame[ -]?changers?\b|\bchang(?:e|es|ent|er|era) la donne\b/g,
    explanation: HOLLOW,
    bad: 'L’outil qui change la donne.',
    better: 'L’outil qui remplit la déclaration à votre place.',
  },
  {
    id: 'experience-unique',
    pattern:
      /\bexperiences? (?:[a-z]{2,14} )?(?:inoubliables?|uniques?|immersives?|incomparables?|exceptionnelles?|inedites?|hors du commun|sans precedent)\b/g,
    explanation: HOLLOW,
    bad: 'Vivez une expérience unique.',
    better: 'Une visite à la lampe, à huit personnes.',
  },
  {
    id: 'solution-innovante',
    pattern:
      /\b(?:solutions?|approches?|technologies?|produits?|concepts?) (?:innovante?s?|disruptive?s?|disruptifs?|de pointe|de nouvelle generation)\b/g,
    explanation: HOLLOW,
    bad: 'Une solution innovante pour vos chantiers.',
    better: 'Un mètre qui note lui-même les mesures.',
  },
  {
    id: 'incontournable',
    pattern: /\bincontournables?\b/g,
    explanation: HOLLOW,
    bad: 'L’accessoire incontournable de l’été.',
    better: 'Un chapeau qui se roule dans la poche.',
  },
  {
    id: 'incroyable',
    pattern:
      /\b(?:incroyable(?:s|ment)?|fantastiques?|extraordinaire(?:s|ment)?|epoustouflante?s?|bluffante?s?|a couper le souffle)\b/g,
    explanation: HOLLOW,
    bad: 'Un goût incroyable.',
    better: 'Un goût de noisette, puis de miel.',
  },
  {
    id: 'exceptionnel',
    // Of opening hours it says a fact: « Fermeture exceptionnelle lundi », « exceptionnellement ouverte ».
    pattern:
      /(?<!\b(?:ouvertures?|fermetures?|horaires?|nocturnes?) )\bexceptionnel(?:le|s|les)?\b|(?<!\b(?:ouverte?s?|fermee?s?) )\bexceptionnellement\b(?! (?:ouverte?s?|fermee?s?)\b)|\bd'exception\b/g,
    explanation: HOLLOW,
    bad: 'Des matières d’exception.',
    better: 'Du chêne français, séché trois ans.',
  },
  {
    id: 'le-meilleur-du-marche',
    pattern:
      /\b(?:le|la|les) meilleure?s? (?:[a-z]{2,20} )?(?:du marche|de sa categorie|de leur categorie|au monde|du monde)\b/g,
    explanation: HOLLOW,
    bad: 'Le meilleur aspirateur du marché.',
    better: 'Il aspire la farine sans boucher le filtre.',
  },
  {
    id: 'un-veritable-bijou',
    pattern:
      /\bune? (?:veritable|vraie?|authentique) (?:bijou|pepite|concentre|revolution|must|tresor|ode|invitation|symphonie|havre)\b/g,
    explanation: HOLLOW,
    bad: 'Un véritable concentré d’énergie.',
    better: 'Trois amandes, deux dattes, une pincée de sel.',
  },
  {
    id: 'symphonie-de-saveurs',
    pattern:
      /\b(?:symphonie|explosion|tapisserie|danse|farandole|ballet) (?:de|des|d') ?(?:saveurs?|couleurs?|sens|gouts?|emotions?|aromes?)\b/g,
    explanation: HOLLOW,
    bad: 'Une explosion de saveurs.',
    better: 'Acide à l’attaque, rond en fin de bouche.',
  },
  {
    id: 'alliance-parfaite',
    pattern:
      /\b(?:alliance|mariage|equilibre|harmonie|combinaison|fusion) (?:parfaite?|ideale?)\b|\b(?:allie|marie|conjugue|combine)(?:nt)? (?:parfaitement|harmonieusement|a la perfection)\b/g,
    explanation: HOLLOW,
    bad: 'L’alliance parfaite du style et du confort.',
    better: 'Une semelle souple sous un cuir tenu.',
  },
  {
    id: 'sans-effort',
    pattern: /\bsans (?:le moindre |aucun )?effort\b|\ben un clin d'oeil\b|\ben toute simplicite\b/g,
    explanation: FILLER,
    bad: 'Montez vos meubles sans effort.',
    better: 'Quatre vis, une clé fournie.',
  },
  {
    id: 'le-resultat-deux-points',
    pattern:
      /\b(?:le resultat|la solution|le secret|notre secret|la bonne nouvelle|le meilleur dans tout ca|la cerise sur le gateau) ?[?:]/g,
    explanation: 'Cette fausse question fait attendre ce qui pourrait être dit. Dites-le.',
    bad: 'Le résultat ? Une peau douce.',
    better: 'La peau reste douce jusqu’au soir.',
  },
  {
    id: 'vous-meritez',
    pattern:
      /\bparce que vous (?:le valez|le meritez|meritez)\b|\bvous meritez (?:le meilleur|mieux|ce qu'il y a de mieux)\b/g,
    explanation: FILLER,
    bad: 'Parce que vous méritez le meilleur.',
    better: 'Des draps en lin lavé, doux dès la première nuit.',
  },
  {
    id: 'au-coeur-de-nos',
    pattern: /\bau coeur de (?:notre|nos|votre|vos|chaque|toutes?|l'action|la demarche)\b/g,
    explanation: FILLER,
    bad: 'La qualité est au cœur de nos préoccupations.',
    better: 'Chaque couture est vérifiée à la loupe.',
  },
  {
    id: 'il-est-important-de-noter',
    pattern:
      /\bil (?:est important|convient|est essentiel) de (?:noter|souligner|rappeler)\b|\bforce est de constater\b|\ben (?:conclusion|somme|definitive),/g,
    explanation: FILLER,
    bad: 'Il est important de noter que la livraison est offerte.',
    better: 'La livraison est offerte.',
  },
];
