import { describe, expect, test } from 'vitest';
import { frenchStem as stem } from '#lib/brain/search/language/stem.ts';
import { fold, foldWords } from '#lib/brain/search/matching/fold.ts';
import { isFunctionWord } from '#lib/brain/search/matching/function-words.ts';

describe('fold', () => {
  test.each([
    ['CAFÉ', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['cœur Œuvre', 'coeur oeuvre'],
    ['Nævus', 'naevus'],
    ['Straße STRASSE', 'strasse strasse'],
    ["l’équipe d'été", 'l equipe d ete'],
    ['lʼâme', 'l ame'],
    ['bouche-à-oreille', 'bouche a oreille'],
    ['sans‑coupure', 'sans coupure'],
    ['in\u00advisible', 'invisible'],
    ['ﬁnance', 'finance'],
    ['№ ½ ①', 'no 1 2 1'],
    ['Ａｔｅｌｉｅｒ', 'atelier'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['Łódź Søren', 'lodz soren'],
    ['prix : 12,50 €', 'prix 12 50'],
    ['🚀', ''],
    ['한글', '한글'.normalize('NFKD')],
    ['', ''],
  ])('%j folds to %j', (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  test('every word carries its place in the original text, combining marks included', () => {
    const text = 'L’e\u0301te\u0301 au cœur';
    expect(foldWords(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'L',
      'e\u0301te\u0301',
      'au',
      'cœur',
    ]);
  });
});

describe('stem', () => {
  test.each([
    ['couleur', 'couleurs'],
    ['editorial', 'editoriale', 'editoriales', 'editoriaux'],
    ['journal', 'journaux'],
    ['canal', 'canaux'],
    ['local', 'locale', 'locales', 'locaux'],
    ['egal', 'egale', 'egaux'],
    ['tuyau', 'tuyaux'],
    ['travail', 'travaux', 'travaille', 'travailler'],
    ['email', 'emails', 'emaux'],
    ['nouveau', 'nouveaux', 'nouvel', 'nouvelle', 'nouvelles'],
    ['bureau', 'bureaux'],
    ['visuel', 'visuelle', 'visuels', 'visuelles'],
    ['valide', 'valider', 'validee', 'validees', 'validez'],
    ['creatif', 'creative', 'creatifs', 'creatives'],
    ['joyeux', 'joyeuse', 'joyeuses'],
    ['cle', 'cles'],
    ['idee', 'idees'],
  ])('%s and its inflected forms share one root', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  test.each([
    ['marque', 'marquis'],
    ['savon', 'savonnerie'],
    ['verre', 'vert'],
    ['cas', 'casse'],
    ['chaux', 'chale'],
    ['chapeau', 'chapelle'],
    ['hotel', 'hote'],
    ['2024', '20245'],
  ])('%s and %s stay apart', (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });

  test('function words are known folded, elided forms included', () => {
    expect(['l', 'qu', 'jusqu', 'etait', 'dans'].every(isFunctionWord)).toBe(true);
    expect(['marque', 'ton', 'ph'].map(isFunctionWord)).toEqual([false, true, false]);
  });
});
