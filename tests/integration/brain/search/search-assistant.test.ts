import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { type Connection, connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { updatedAtOf } from '#tests/bench/search-fr/evaluate.ts';
import { makeEvalAccount } from '#tests/eval/account.ts';
import { ExhaustiveScorer } from '#tests/eval/exhaustive.ts';
import { createTestDatabase } from '#tests/setup/database.ts';

/** What a small house says of itself: key, title, text. */
const MEMORIES = [
  ['rendez-vous', 'Venir à l’atelier', 'On vient sur rendez-vous uniquement, du mardi au samedi.'],
  ['rdv', 'Showroom', 'Prenez RDV en ligne pour voir les modèles.'],
  ['après-vente', 'Réparations', 'Le service après-vente répond sous deux jours.'],
  ['sav', 'Pièces détachées', 'Le SAV garde les pièces dix ans.'],
  ['hors-taxes', 'Devis', 'Les prix sont donnés hors taxes.'],
  ['numéro', 'Parfum phare', 'Le numéro 7 est notre parfum le plus vendu.'],
  ['n°', 'Adresse', 'L’entrée est au n° 12 de la rue du Lac.'],
  ['autre-12', 'Douzaine', 'Les bougies se vendent par 12, et l’an n’est pas fini.'],
  ['mme', 'Direction', 'Mme Roussel dirige la maison depuis 2014.'],
  ['st', 'Point de vente', 'La boutique de St-Malo ouvre en avril.'],
  ['saint', 'Revendeur', 'Le revendeur de Saint-Étienne est fermé le lundi.'],
  ['petit-prix', 'Petit format', 'La petite bougie coûte 20 €.'],
  ['grand-prix', 'Grand format', 'La grande bougie coûte trente-cinq euros.'],
  ['nantes', 'Boutique de Nantes', 'La boutique de Nantes est ouverte depuis mars 2021.'],
  ['jamais', 'Ce que nous ne faisons pas', 'Nous n’utilisons jamais de paraffine.'],
  ['europe', 'Livraison à l’étranger', 'Pas de livraison hors d’Europe.'],
  ['porte', 'Accessoires', 'Nos porte-bougies sont en laiton.'],
  ['chef', 'Collection', 'Les chefs-d’œuvre de la collection sont numérotés.'],
  ['mail', 'Contact presse', 'Écrire à presse@maison-lumen.fr pour un entretien.'],
  ['tel', 'Standard', 'Le standard répond au 02 40 12 34 56.'],
  ['url', 'Site', 'La boutique en ligne est sur www.maison-lumen.fr/boutique.'],
  ['ref', 'Lampe Aube', 'Sa référence est AB-1234/C.'],
  ['école', 'ÉCOLE DE CIRE', 'Des stages d’été pour adultes.'],
  [
    'signes',
    'Typographie',
    'Le co\ufb00ret \ufb01n du week\u2011end\u00a0: la stéa\u00adrine, aujourd\u2019hui.',
  ],
  ['japon', 'Import du Japon', 'Le lot \uff11\uff12\uff13\uff14 arrive au cafe\u0301.'],
  ['anglais', 'Ton', 'Notre storytelling est feel-good, et le naming reste simple.'],
  ['quarante', 'Durée de combustion', 'La bougie brûle quarante heures.'],
  ['48h', 'Délai', 'Le délai est de 48h.'],
  ['minutes', 'Premier allumage', 'Laissez brûler 90 minutes.'],
  ['an', 'Bilan 2025', 'L’an dernier, les ventes ont augmenté de 12 %.'],
  ['wifi', 'Accueil', 'Le wi-fi est gratuit.'],
  ['mails', 'Lettre', 'Une newsletter par email chaque mois.'],
  ['ean', 'Code à barres', 'EAN 3 760123 456789 pour le coffret.'],
  ['siret', 'Mentions légales', 'SIRET 812 345 678 00012.'],
  ['nuit', 'Urgences', 'Appelez le +33 6 12 34 56 78 après la fermeture.'],
  ['dix-heures', 'Horaires d’hiver', 'On entre à partir de dix heures.'],
  ['19h30', 'Horaires de juillet', 'On ferme à 19h30.'],
  ['ouvriers', 'Équipe', 'Deux ouvriers travaillent la cire\u00a0; la première ouvrière date de 1990.'],
  ['rayon', 'Coursier', 'Livraison dans un rayon de 20 km, à partir de 500 grammes.'],
  ['étage', 'Bureaux', 'Les bureaux sont au premier étage.'],
  ['sortie', 'Nouveautés', 'La collection est sortie le 3 octobre 2026.'],
] as const;

/** What an assistant asks, and what answers it: first, then anywhere. */
const ASKED: readonly (readonly [q: string, ...keys: (typeof MEMORIES)[number][0][]])[] = [
  // Shortened, and written out.
  ['Faut-il prendre RDV ?', 'rdv', 'rendez-vous'],
  ['Peut-on venir sans rendez-vous ?', 'rendez-vous', 'rdv'],
  ['SAV', 'sav', 'après-vente'],
  ['service après-vente', 'après-vente', 'sav'],
  ['Quels sont les prix HT ?', 'hors-taxes'],
  ['n° 7', 'numéro'],
  ['N°7', 'numéro'],
  ['nº 7', 'numéro'],
  ['numéro 12', 'n°'],
  ['n°12', 'n°'],
  ['Madame Roussel', 'mme'],
  ['Saint-Malo', 'st'],
  ['St Etienne', 'saint'],
  ['wifi', 'wifi'],
  ['e-mail', 'mails'],
  // Numbers, prices, durations.
  ['20€', 'petit-prix'],
  ['vingt euros', 'petit-prix'],
  ['35 €', 'grand-prix'],
  ['40h', 'quarante'],
  ['quarante heures', 'quarante'],
  ['48 heures', '48h'],
  ['90min', 'minutes'],
  ['90 mn', 'minutes'],
  ['2j', 'après-vente'],
  ['10h', 'dix-heures'],
  ['10 heures', 'dix-heures'],
  ['19 heures 30', '19h30'],
  ['dix-neuf heures trente', '19h30'],
  ['ouvrier', 'ouvriers'],
  ['le premier ouvrier', 'ouvriers'],
  ['1er étage', 'étage'],
  ['20 kilomètres', 'rayon'],
  ['500g', 'rayon'],
  ['weekends', 'signes'],
  ['1ère ouvrière', 'ouvriers'],
  ['2 jours', 'après-vente'],
  // Dates and negations.
  ['depuis mars', 'nantes'],
  ['Depuis quand la boutique de Nantes est-elle ouverte ?', 'nantes'],
  ['Que s’est-il passé l’an dernier ?', 'an'],
  ['depuis octobre', 'sortie'],
  ['03/10/2026', 'sortie'],
  ['Utilisez-vous de la paraffine ?', 'jamais'],
  ['Ne livrez-vous pas hors d’Europe ?', 'europe'],
  // Compounds, addresses, references.
  ['porte-bougie', 'porte'],
  ["chef d'oeuvre", 'chef'],
  ['presse@maison-lumen.fr', 'mail'],
  ['0240123456', 'tel'],
  ['02.40.12.34.56', 'tel'],
  ['https://www.maison-lumen.fr/boutique', 'url'],
  ['+33 2 40 12 34 56', 'tel'],
  ['+33240123456', 'tel'],
  ['0033 (0)2 40 12 34 56', 'tel'],
  ['0612345678', 'nuit'],
  ['06 12 34 56 78', 'nuit'],
  ['3760123456789', 'ean'],
  ['3\u00a0760123\u00a0456789', 'ean'],
  ['81234567800012', 'siret'],
  ['AB1234C', 'ref'],
  ['ab 1234/c', 'ref'],
  // Signs and letters.
  ['ECOLE DE CIRE', 'école'],
  ['coffret fin', 'signes'],
  ['stéarine', 'signes'],
  ['week-end', 'signes'],
  ["aujourd'hui", 'signes'],
  ['lot 1234', 'japon'],
  ['café', 'japon'],
  ['ＣＡＦＥ', 'japon'],
  ['feel good', 'anglais'],
];

const documents = MEMORIES.map(([id, title, body], i) => ({ id, title, body, updatedAt: updatedAtOf(i) }));
const scorer = new ExhaustiveScorer(documents);
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let connection: Connection;
let ctx: Awaited<ReturnType<typeof makeEvalAccount>>['ctx'];

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connect({ url: database.url, poolMax: 4, preparedStatements: preparedBy(process.env) });
  ({ ctx } = await makeEvalAccount(connection, 'Xylo', documents));
});

afterAll(async () => {
  await connection.close();
  await database.drop();
});

test('what an assistant asks in its own spelling is answered first by what says it in another, in the index and beside it', async () => {
  for (const where of ['in the index', 'beside it']) {
    const missed: string[] = [];
    for (const [q, first, ...others] of ASKED) {
      const { data } = await searchMemories(ctx, { q, limit: 10 });
      const found = data.map(({ memoryId }) => memoryId);
      if (found[0] !== first || others.some((one) => !found.includes(one)))
        missed.push(`${q}: ${found.join(' ')}`);
      const expected = scorer.rank(parseQuery(q), undefined, 10);
      const told = data.map(({ memoryId, score }) => [memoryId, score]);
      expect(told, q).toEqual(expected.map(({ document, score }) => [document.id, score]));
    }
    expect(missed, where).toEqual([]);
    // A Memory that changes waits to be indexed: search reads its text.
    await connection.kysely.updateTable('Memory').set({ body: sql<string>`"body" || ' '` }).execute();
  }
});
