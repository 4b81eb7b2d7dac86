import { describe, expect, test } from 'vitest';
import { family } from '#lib/brain/search/language/stem.ts';
import { VERB_FORMS } from '#lib/brain/search/language/verbs.ts';
import { matchStart, qualityOf } from '#lib/brain/search/matching/match.ts';
import { parseQuery, type QueryWord } from '#lib/brain/search/matching/query.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string): SearchDocument => ({ id, title: 'Note', body, updatedAt });
const wordOf = (text: string) => parseQuery(text).words[0] as QueryWord;

describe('a verb of the third group and its nouns are about one thing, whatever their ending', () => {
  test.each([
    ['ecrire ecris ecrit ecrite ecrivons ecrivez ecrivent ecrivait ecrira ecriture'],
    ['inscrire inscrit inscrivez inscription inscriptions'],
    ['construire construit construisons construisez construite construction constructeur'],
    ['reduire reduit reduite reduisons reduction reductions'],
    ['cuire cuit cuite cuisez cuisson'],
    ['comprendre comprend comprenons comprennent compris comprise'],
    ['permettre permet permettons permis permise permission'],
    ['promettre promet promettez promis promesse'],
    ['obtenir obtient obtenons obtiennent obtenu obtiendra obtention'],
    ['entretenir entretient entretenez entretien entretiens'],
    ['intervenir intervient intervenons intervenu intervention'],
    ['ouvrir ouvre ouvrons ouvert ouverte ouverture ouvrira'],
    ['couvrir couvre couvert couverte couverture'],
    ['offrir offre offrez offert offerte'],
    ['recevoir recoit recevons recoivent recu recue reception'],
    ['connaitre connait connaissons connu connue connaissance'],
    ['peindre peint peignons peinte peinture'],
    ['resoudre resout resolvons resolu resolution'],
    ['conclure conclut conclu conclusion'],
    ['prevoir prevoit prevoyons prevu prevue prevision'],
    ['acquerir acquiert acquis acquise acquisition'],
    ['suivre suit suivons suivez suivi suivie'],
    ['relire relit relisez relu relue relecture'],
    ['interdire interdit interdisons interdite interdiction'],
    ['vendre vend vendons vendu vendeur vente ventes'],
    ['repondre repond repondons repondu reponse'],
    ['choisir choisit choisissez choisi choix'],
    ['acheter achete achetons acheteur achat achats'],
  ])('%s', (forms) => {
    const words = forms.split(' ');
    for (const typed of words)
      for (const term of words)
        expect(qualityOf(matchStart(wordOf(typed), term)), `${typed} in ${term}`).toBeGreaterThanOrEqual(55);
  });

  test('and no other word that begins as they do', () => {
    for (const [typed, term] of [
      ['ouvrir', 'ouvrage'],
      ['cuire', 'cuisine'],
      ['maintenir', 'maintenant'],
      ['contenir', 'content'],
      ['suivre', 'suivant'],
      ['prevoir', 'prevention'],
      ['promettre', 'promotion'],
      ['reduire', 'redevance'],
      ['conclure', 'concours'],
      ['produire', 'profit'],
      ['vendre', 'vent'],
      ['repondre', 'report'],
    ] as const)
      for (const [one, other] of [
        [typed, term],
        [term, typed],
      ] as const)
        expect(matchStart(wordOf(one), other), `${one} in ${other}`).toBe(0);
  });

  test('every form is a folded word, and shares its first three letters, by which the index is read, with all those of its verb', () => {
    const beginnings = new Map<string, Set<string>>();
    for (const [form, root] of VERB_FORMS) {
      expect(form).toMatch(/^[a-z]{4,}$/);
      expect(family(form)).toBe(root);
      beginnings.set(root, (beginnings.get(root) ?? new Set()).add(form.slice(0, 3)));
    }
    expect(beginnings.size).toBeGreaterThan(100);
    expect([...beginnings].filter(([, starts]) => starts.size > 1)).toEqual([]);
    // Their root is not a word, so that nothing else is taken for a form.
    expect([...beginnings.keys()].filter((root) => /^[a-z]*$/.test(root))).toEqual([]);
  });
});

describe('so are words that regular endings make', () => {
  test.each([
    ['accessible', 'accessibilite'],
    ['accessibles', 'accessibilite'],
    ['disponible', 'disponibilites'],
    ['fournir', 'fournisseur'],
    ['fournissons', 'fournisseurs'],
    ['fournir', 'fourniture'],
    ['remplir', 'remplissage'],
    ['signer', 'signature'],
    ['fermer', 'fermeture'],
    ['livrer', 'livreraient'],
    ['fournir', 'fournira'],
  ])('%s and %s', (one, other) => {
    for (const [typed, term] of [
      [one, other],
      [other, one],
    ] as const)
      expect(qualityOf(matchStart(wordOf(typed), term)), `${typed} in ${term}`).toBeGreaterThanOrEqual(55);
  });

  test('and no shorter word: « mobilité » is of nothing in « -ble », « voiture » of no verb', () => {
    expect(family('mobilite')).not.toBe(family('moble'));
    expect(matchStart(wordOf('voiture'), 'voie')).toBe(0);
    expect(matchStart(wordOf('nature'), 'nation')).toBe(0);
  });
});

test.each([
  ['Comment écrivez-vous à la presse ?', 'On écrit à la presse en deux phrases.'],
  ['Qui a construit la péniche ?', 'La péniche sort d’un chantier : construction de 1931.'],
  ['Qui fournit la farine ?', 'Le fournisseur de farine est à Quimper.'],
  ['Comment entretenir la chaudière ?', 'L’entretien de la chaudière se fait en mai.'],
])('« %s » finds what answers it before what only names the same thing', (q, answer) => {
  const named = answer.includes('presse') ? 'presse' : /péniche|farine|chaudière/.exec(answer)?.[0];
  const others = Array.from({ length: 9 }, (_, i) => memory(`other-${i}`, `Une ${named}, et rien de plus.`));
  const [first] = rankDocuments(parseQuery(q), [...others, memory('that', answer)]);
  expect(first?.document.id).toBe('that');
});
