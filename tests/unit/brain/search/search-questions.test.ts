import { describe, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string, title = 'Note'): SearchDocument => ({ id, title, body, updatedAt });
const ids = (q: string, documents: SearchDocument[]) =>
  rankDocuments(parseQuery(q), documents).map(({ document }) => document.id);
const others = (body: string, count = 20) =>
  Array.from({ length: count }, (_, i) => memory(`other-${i}`, body));

describe('a question finds the Memory that answers it', () => {
  const documents = [
    memory('warranty', 'Nos lampes sont garanties cinq ans, pièces et main-d’œuvre.'),
    memory('designer', 'The reading lamps were designed by Ada Klein in 1974.'),
    memory('time', 'Combien de temps faut-il pour visiter l’atelier ? Une heure.'),
    memory('who', 'Who we are: a family that has made light since 1952.'),
    ...others('Le catalogue change deux fois par an.'),
  ];

  test.each([
    ['Combien de temps une lampe est-elle garantie\u00a0?', 'warranty'],
    ['Who designed the reading lamp?', 'designer'],
    ['Est-ce que vous garantissez la lampe\u00a0?', 'warranty'],
    ['Which lamp did Ada design?', 'designer'],
  ])('« %s »', (q, expected) => {
    expect(ids(q, documents)[0]).toBe(expected);
  });

  test('question and function words of both languages weigh nothing: what repeats them alone is no result', () => {
    for (const q of ['Combien de kayaks avez-vous\u00a0?', 'Who owns the kayak?', 'Pourquoi un kayak\u00a0?'])
      expect(ids(q, documents)).toEqual([]);
  });

  test('« savons » is what a maker of soap sells, in a question too', () => {
    const soap = memory('soap', 'Fondants et savons sont fabriqués à Grasse.');
    const crowd = others('Une maison fondée en 1952, et fondante.');
    for (const q of ['savons', 'Fondées savons', 'Que savez-vous des savons\u00a0?'])
      expect(ids(q, [...crowd, soap])[0]).toBe('soap');
  });

  test('nor do the verbs by which one asks: « puis-je », « dois-je », « donne-moi », « s’il vous plaît »', () => {
    const told = memory('told', 'Ouvert depuis 1952, puis agrandi. Qui veut les données doit les montrer.');
    for (const q of [
      'Puis-je avoir un kayak\u00a0?',
      'Doit-on avoir un kayak\u00a0?',
      'Pouvez-vous me faire un kayak, s’il vous plaît\u00a0?',
      'Donne-moi un kayak',
      'Montrez-nous le kayak',
      'Show me the kayak',
    ]) {
      expect(
        parseQuery(q).words.map(({ text }) => text),
        q,
      ).toEqual(['kayak']);
      expect(ids(q, [told, ...documents]), q).toEqual([]);
    }
    // These words may themselves be searched for.
    expect(parseQuery('montre connectée').words.map(({ text }) => text)).toEqual(['montre', 'connectee']);
    expect(parseQuery('Puis').words.map(({ text }) => text)).toEqual(['puis']);
  });

  test.each([
    ['c’est quoi notre ton ?', ['ton']],
    ['Quel ton employer avec la presse ?', ['ton', 'employer', 'presse']],
    ['le ton à employer', ['ton', 'employer']],
    ['changer de ton', ['changer', 'ton']],
    ['ton et style', ['ton', 'style']],
    ['Quel son fait le verre\u00a0?', ['son', 'verre']],
    ['bracelet en or', ['bracelet', 'or']],
    // A possessive is still ignored.
    ['Quel est ton nom ?', ['nom']],
    ['la couleur de son logo', ['couleur', 'logo']],
  ])('« ton », « son » and « or » are nouns where only a noun can stand: « %s »', (q, expected) => {
    expect(parseQuery(q).words.map(({ text }) => text)).toEqual(expected);
  });

  test.each([
    ['collection été 2026', ['collection', 'ete', '2026']],
    ['Que propose-t-on pour l’été ?', ['propose', 'ete']],
    ['Qu’a-t-on prévu de lancer cet été ?', ['prevu', 'lancer', 'ete']],
    ['Quand a été lancée notre gamme d’été ?', ['lancee', 'gamme', 'ete']],
    ['Pourquoi le lot a-t-il été rappelé ?', ['lot', 'rappele']],
    ['Les flacons ont-ils bien été testés ?', ['flacons', 'bien', 'testes']],
    ['Quelle verrerie a été retenue ?', ['verrerie', 'retenue']],
  ])('« été » is the season wherever no form of « avoir » makes it a verb: « %s »', (q, expected) => {
    expect(parseQuery(q).words.map(({ text }) => text)).toEqual(expected);
  });

  test.each([
    ['Quelles couleurs on utilise déjà ?', ['couleurs', 'utilise']],
    ['Peux-tu me dire le délai ?', ['delai']],
    ['Pouvez-vous m’indiquer le délai, svp ?', ['delai']],
    ['Sait-on quel délai il faudrait ?', ['delai']],
    ['Quand a lieu la prochaine réunion ?', ['prochaine', 'reunion']],
    ['Où se trouve l’atelier ?', ['atelier']],
    ['Que s’est-il passé le lundi, et que se passe-t-il après ?', ['passe', 'lundi', 'apres']],
    ['Existe-t-il une application ?', ['application']],
    ['What don’t we promise?', ['promise']],
    ['What aren’t we allowed to promise?', ['allowed', 'promise']],
    ["What we're allowed to promise", ['allowed', 'promise']],
    // Where the same letters have a meaning of their own, they are searched for.
    ['don de livres', ['don', 'livres']],
    ['un lieu où l’on se trouve bien', ['lieu', 'bien']],
    ['lieu de vente', ['lieu', 'vente']],
    ['la marque existe', ['marque', 'existe']],
    ['À ne pas dire', ['dire']],
  ])('nor does what a question is made of besides: « %s »', (q, expected) => {
    expect(parseQuery(q).words.map(({ text }) => text)).toEqual(expected);
  });

  test.each([
    ['Peut-on tutoyer ?', ['On tutoie.', 'Ils tutoient.', 'Le tutoiement est exclu.', 'Nous tutoyons.']],
    ['tutoiement', ['On ne tutoie pas.', 'Ne pas tutoyer.']],
    ['envoyer', ['Un envoi par jour.', 'Elle envoie tout.']],
    ['envoi', ['Envoyer le lundi.']],
    ['emploi', ['Mots à employer.']],
    ['nettoyage', ['On nettoie au savon.']],
  ])('« %s » finds the other forms of a word whose y becomes an i, and nothing shorter', (q, bodies) => {
    const forms = bodies.map((body, i) => memory(`form-${i}`, body));
    const shorter = memory('shorter', 'Un tuto, des tutos, un envol.');
    const found = ids(q, [...forms, shorter, ...others('Une note.')]);
    expect(found.toSorted()).toEqual(forms.map(({ id }) => id));
  });

  test('nor do they take the place of words that name something, however many stand before', () => {
    const before =
      'je tu il elle nous vous me te se la le les un une des du de en y au aux ce cet cette ces ma mon mes ta tes';
    for (const q of [`${before} garantie`, `garantie ${before} lampe`])
      expect(ids(q, documents)[0]).toBe('warranty');
    expect(parseQuery(`${before} garantie ${before} lampe`).words.map(({ text }) => text)).toEqual([
      'garantie',
      'lampe',
    ]);
  });

  test('beyond thirty distinct words, the others are told as they were typed, once each', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const thirty = letters.map((letter) => `z${letter}`).concat('xa', 'xb', 'xc', 'xd');
    expect(parseQuery(`${thirty.join(' ')} de la za`).ignored).toEqual([]);
    const { words, ignored } = parseQuery(`${thirty.join(' ')} de la Forêt foret za 12 mai 2023`);
    expect(words.map(({ text }) => text)).toEqual(thirty);
    expect(ignored).toEqual(['Forêt', '12 mai 2023']);
  });

  test('a Memory that holds most of the rare words comes before one that holds one of them often', () => {
    const most = memory('most', 'Le cuivre brossé du lampadaire vient de Villedieu.');
    const often = memory('often', 'cuivre '.repeat(60));
    expect(ids('cuivre brossé villedieu', [often, most, ...others('Une note.')])).toEqual(['most', 'often']);
  });

  test('words that stand close together count for more than the same words far apart', () => {
    const far = 'Le reste du carnet parle d’autre chose, longuement, sans se presser. '.repeat(4);
    const close = memory('close', `${far}Une douille de porcelaine tient la lampe. ${far}`);
    const apart = memory('apart', `Une douille tient la lampe. ${far}${far}La tasse est de porcelaine.`);
    expect(ids('douille porcelaine', [apart, close])).toEqual(['close', 'apart']);
  });
});

describe('dates, hours and numbers meet in their usual forms', () => {
  test.each([
    [
      '12 mai 2023',
      ['2023-05-12', '12/05/2023', '12.05.2023', 'May 12, 2023', 'le 12 mai 2023', '12th of May 2023'],
    ],
    ['1er décembre 2024', ['2024-12-01', '01/12/2024', 'December 1, 2024', '1 décembre 2024']],
    ['mars 2025', ['2025-03', 'March 2025', '2025-03-14', '14 mars 2025']],
    ['14h30', ['14:30', '14 h 30']],
    ['1200', ['1 200', '1\u202f200', '1,200']],
  ])('%s', (one, forms) => {
    for (const form of forms) {
      const documents = [
        memory('that', `Livré le ${form}, à l’atelier.`),
        ...others('Livré le 3 avril 2019 à 9h15, 700 pièces.', 3),
      ];
      expect(ids(one, documents)[0], `${one} → ${form}`).toBe('that');
    }
    for (const form of forms.filter((form) => !/14/.test(form) || one === '14h30')) {
      const documents = [
        memory('that', `Livré le ${one}, à l’atelier.`),
        ...others('Livré le 3 avril 2019 à 9h15, 700 pièces.', 3),
      ];
      expect(ids(form, documents)[0], `${form} → ${one}`).toBe('that');
    }
  });

  test('another day of the same month is another day', () => {
    expect(ids('12 mai 2023', [memory('other', 'Livré le 13/05/2023.')])).toEqual([]);
  });
});

describe('a sign that is no word is asked for by its name', () => {
  test.each([
    ['chambre à 60 euros', 'La chambre est à 60 €.'],
    ['remise de 20 pour cent', 'Remise de 20 %.'],
    ['cuisson à 250 degrés', 'Cuisson à 250 °C.'],
    ['soixante euros la chambre', 'La chambre est à 60 €.'],
  ])('« %s » finds all its words in « %s »', (q, body) => {
    const [first] = rankDocuments(parseQuery(q), [memory('that', body), ...others('Une note.')]);
    expect(first?.explanation.allWords).toBe(true);
  });

  test('and is looked for where no number stands before it', () => {
    expect(parseQuery('prix en euros').words.map(({ text }) => text)).toEqual(['prix', 'euros']);
    expect(parseQuery('trois cent pages').words.map(({ text }) => text)).toEqual(['300', 'pages']);
  });
});

describe('a number and its unit meet, written as one word or as two', () => {
  const label = (written: string) => `Le flacon porte ${written} sur son étiquette.`;

  test.each([
    ['30ml', '30 ml'],
    ['30 ml', '30ml'],
    ['50cl', '50\u00a0cl'],
    ['2 kg', '2kg'],
    ['4K', '4 K'],
    ['4 K', '4K'],
    ['25m²', '25 m²'],
    ['1,5L', '1,5 L'],
    ['10%', '10 %'],
    ['1200g', '1 200 g'],
    ['1200g', '1\u202f200\u202fg'],
    ['1200g', '1\u00a0200\u00a0g'],
    ['1200g', '1200 g'],
    ['1 200 g', '1200g'],
    ['12500000km', '12 500 000 km'],
    ['1200', '1\u00a0200'],
  ])('« %s » finds « %s » before larger numbers of that unit', (q, written) => {
    const larger = memory('larger', label('300 ml, 500 cl, 20 kg, 40 K, 250 m², 100 % et 15 L'));
    expect(ids(q, [larger, memory('that', label(written)), ...others('Sans étiquette.', 5)])[0]).toBe('that');
  });

  test('the unit of another number is not its own, and what was typed comes before its other form', () => {
    expect(ids('5L', [memory('apart', 'Pour 5 personnes, l’eau chaude.')])).toEqual([]);
    const forms = [memory('apart', label('30 ml')), memory('joined', label('30ml'))];
    expect(ids('30ml', forms)).toEqual(['joined', 'apart']);
    expect(ids('30 ml', forms)).toEqual(['apart', 'joined']);
  });

  test('a number that something follows begins no larger one, and the letter of a unit begins no word', () => {
    const larger = memory('larger', 'Trajet de 250 km.');
    expect(ids('25 km', [larger, memory('that', 'Trajet de 25 km.')])[0]).toBe('that');
    expect(ids('25 brioches', [larger])).toEqual([]);
    expect(ids('1200 g', [memory('other', 'Une galette.', 'Galettes')])).toEqual([]);
    // The last word typed may be incomplete, and so may a reference.
    expect(ids('25', [larger])).toEqual(['larger']);
    expect(ids('3760 lampe', [memory('reference', 'EAN 3760123456789.')])).toEqual(['reference']);
    expect(ids('R. Dupont', [memory('name', 'Rémi, à la comptabilité.')])).toEqual(['name']);
  });

  test('a number in thousands is before its unit, and no other word is between them', () => {
    for (const written of ['1200 par g', '1 200 par g', '1 200\ng', '1 200. Un g', '200 g'])
      expect(ids('1200g', [memory('apart', label(written))]), written).toEqual([]);
    const text = 'Il pèse 1\u202f200\u202fg en tout.';
    const shown = matchRanges(parseQuery('1200g'), text).map(({ start, end }) => text.slice(start, end));
    expect(shown).toEqual(['1\u202f200\u202fg']);
  });

  test('is found at the end of a text that says its first word in thousands more often than is counted', () => {
    const often = 'Le 1 vaut. '.repeat(80);
    expect(ids('1200g', [memory('long', `${often}Un sac de 1 200 g.`)])).toEqual(['long']);
  });

  test('is found at the end of a text that says the unit more often than is counted', () => {
    expect(ids('5L', [memory('long', `${'De l’eau. '.repeat(80)}Un bidon de 5 L.`)])).toEqual(['long']);
  });

  test('is highlighted whole', () => {
    expect(matchRanges(parseQuery('30ml'), 'Un flacon de 30 ml.')).toEqual([{ start: 13, end: 18 }]);
    expect(matchRanges(parseQuery('30 ml'), 'Un flacon de 30ml.')).toEqual([{ start: 13, end: 17 }]);
  });
});

describe('a word meets its other spelling', () => {
  test('« email » and « weekend » with a hyphen, after the very word', () => {
    const documents = [
      memory('hyphen', 'Réponse par e-mail.'),
      memory('joined', 'Réponse par email.'),
      memory('halves', 'Un mail. Note e.'),
      ...others('Une note.'),
    ];
    expect(ids('email', documents)).toEqual(['joined', 'hyphen']);
    expect(ids('ouvert le weekend', [memory('that', 'Fermé le week-end.')])).toEqual(['that']);
    expect(matchRanges(parseQuery('email'), 'Un e-mail.')).toEqual([{ start: 3, end: 9 }]);
  });
});

describe('typing errors are tried for a word that nothing else answers', () => {
  const documents = [memory('lamp', 'Le lampadaire de porcelaine éclaire la table.'), ...others('Rien.', 3)];

  test.each([
    ['one letter too many', 'tablee'],
    ['one letter missing', 'tble'],
    ['one letter wrong', 'tavle'],
    ['two letters that changed places', 'talbe'],
    ['two errors in a word of eight letters or more', 'porcelenne'],
    ['two errors in a word of eight letters', 'pocelane'],
  ])('%s', (_, q) => {
    expect(ids(q, documents)).toEqual(['lamp']);
  });

  test.each([
    ['two errors in a short word', 'tvlae'],
    ['two errors in a word of seven letters', 'aclairo'],
    ['three errors in a long one', 'porzelinna'],
  ])('not %s', (_, q) => {
    expect(ids(q, documents)).toEqual([]);
  });

  test('never in a number, nor beside a Memory that holds the very word', () => {
    expect(ids('30760', [memory('number', 'Référence 30761.')])).toEqual([]);
    expect(ids('tables', [memory('table', 'Une table.'), memory('cable', 'Un câble.')])).toEqual(['table']);
    expect(ids('cable', [memory('table', 'Une table.'), memory('cable', 'Un câble.')])).toEqual(['cable']);
  });
});
