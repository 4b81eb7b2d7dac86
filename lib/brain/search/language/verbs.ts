/**
 * Verbs whose root is not told by their endings (`écrire`, `écrivez`; `obtenir`, `obtient`; `prévoir`, `prévu`), with the nouns made of them (`construire`, `construction`):
 * the third group, which French adds no verb to, and a few nouns that no ending makes (`achat`, `vente`). Folded words. Left out: a form that does not
 * share its first three letters with the others (`tient`, `mis`), by which the index is read, and one that is another word more often (`maintenant`, `suivant`).
 */

/** What follows the root of the plural: present, imperfect, participle. */
const PLURAL = 'ons ez ent e es ais ait aient ions iez ant ants ante antes';
/** What follows the `r` of the infinitive: future and conditional. */
const FUTURE = 'a ai as ons ez ont ais ait aient';
/** A participle and its feminine and plural. */
const AGREED = '- s e es';

/** The parts of a list; `-` is none of its own. */
const listed = (list: string) => list.split(' ').map((part) => (part === '-' ? '' : part));

/** What stands before a root, then its forms: `root: endings`; `-` is no ending. */
type Verbs = readonly [before: string, ...forms: string[]];

const VERBS: readonly Verbs[] = [
  // -crire
  [
    'e de ins pres sous trans ree retrans',
    'cri: re s t ts te tes',
    `criv: ${PLURAL}`,
    `crir: ${FUTURE}`,
    'cript: ion ions',
    'crit: ure ures',
  ],
  // -uire
  [
    'cond recond prod reprod red introd sed ded trad constr reconstr detr instr',
    'ui: re s t ts te tes',
    `uis: ${PLURAL}`,
    `uir: ${FUTURE}`,
    'uct: ion ions eur eurs rice rices ible ibles',
  ],
  ['-', 'cui: re t ts te tes', `cuis: ${PLURAL}`, `cuir: ${FUTURE}`, 'cuiss: on ons'],
  // -prendre
  [
    'ap com entre re sur reap',
    'prend: - re s',
    `pren: ${PLURAL}`,
    'prenn: ent e',
    `prendr: ${FUTURE}`,
    'pri: s se ses t',
  ],
  ['-', 'prend: - re s', `pren: ${PLURAL}`, 'prenn: ent e', `prendr: ${FUTURE}`],
  // -mettre
  [
    'ad com compro per pro re sou trans retrans',
    'met: - s tre',
    `mett: ${PLURAL} eur eurs`,
    `mettr: ${FUTURE}`,
    'mi: s se ses t',
  ],
  // -tenir, -venir
  [
    'abs appar con de entre main ob re sou',
    'ten: ir ons ez ait ais aient iez u ue us ues ance ances eur eurs',
    'tien: - s t',
    'tienn: ent e',
    `tiendr: ${FUTURE}`,
  ],
  [
    'con contre de inter par pre pro re sou sub sur',
    'ven: ir ons ez ait ais aient iez u ue us ues ant ance ances',
    'vien: s t',
    'vienn: ent e',
    `viendr: ${FUTURE}`,
  ],
  // -vrir, -frir
  [
    'ouv reouv entrouv couv decouv recouv off souff',
    `r: ir ${PLURAL}`,
    `rir: ${FUTURE}`,
    `ert: ${AGREED} ure ures`,
  ],
  // -cevoir
  [
    're con per aper de',
    `cev: oir ${PLURAL}`,
    `cevr: ${FUTURE}`,
    'coi: s t ve vent',
    `cu: ${AGREED}`,
    'cept: ion ions eur eurs rice rices',
  ],
  // -aître
  ['con recon', 'nai: tre t s', `naiss: ${PLURAL} ance ances eur eurs`, `naitr: ${FUTURE}`, `nu: ${AGREED}`],
  ['- re', 'nai: tre t s', `naiss: ${PLURAL} ance ances`, `naitr: ${FUTURE}`],
  [
    '- ap dis com re',
    'parai: tre t s',
    `paraiss: ${PLURAL}`,
    `paraitr: ${FUTURE}`,
    `paru: ${AGREED} tion tions`,
    'parition: - s',
  ],
  // -indre
  [
    'pe repe depe te dete ete atte cra pla contra restre fe jo rejo adjo',
    'in: dre s t ts te tes',
    `ign: ${PLURAL}`,
    `indr: ${FUTURE}`,
  ],
  // Of one or two verbs.
  ['re dis', 'sou: dre s t', `solv: ${PLURAL}`, `soudr: ${FUTURE}`, `solu: ${AGREED} tion tions`],
  ['con ex in', `clu: re s t se ses sion sions ${PLURAL}`, `clur: ${FUTURE}`, `clu: ${AGREED}`],
  ['pre pour', 'voi: r s t e ent', `voy: ${PLURAL}`, `voir: ${FUTURE}`, `vu: ${AGREED}`],
  [
    'ac con re',
    'qu: erir iers iert ierent is ise ises isition isitions',
    `quer: ${PLURAL}`,
    `querr: ${FUTURE}`,
  ],
  ['- pour', 'suiv: re ons ez ent e es ait aient i is ie ies', 'suit: -', `suivr: ${FUTURE}`],
  ['con par re se', `cour: ir s t u ue us ues ${PLURAL}`, `courr: ${FUTURE}`],
  ['cor inter', `romp: re s t u ue us ues ${PLURAL}`, `rompr: ${FUTURE}`, 'rupt: ion ions eur eurs'],
  ['dis ex sous', 'trai: re s t ts te tes', `tray: ${PLURAL}`, `trair: ${FUTURE}`, 'tract: ion ions'],
  [
    're',
    'li: re s t',
    `lis: ${PLURAL}`,
    `lir: ${FUTURE}`,
    `lu: ${AGREED}`,
    'lect: ure ures eur eurs rice rices',
  ],
  ['contre inter pre', 'di: re s t ts te tes', `dis: ${PLURAL}`, `dir: ${FUTURE}`, 'dict: ion ions'],
  ['satis', 'fai: re s t ts te tes', `fais: ${PLURAL}`, `fer: ${FUTURE}`, 'fact: ion ions'],
  ['pro', `mouv: oir ${PLURAL}`, 'meu: s t vent', `mu: ${AGREED}`, 'mot: ion ions eur eurs'],
  ...['ven', 'per', 'atten', 'descen', 'repon', 'defen'].map(
    (root): Verbs => [
      '-',
      `${root}d: - re s u ue us ues eur eurs euse euses ${PLURAL}`,
      `${root}dr: ${FUTURE}`,
    ],
  ),
  ['-', 'chois: ir i is it ie ies issons issez issent issait issant', `choisir: ${FUTURE}`],
  ['-', `achet: er ee ees eur eurs euse euses ${PLURAL}`, `acheter: ${FUTURE}`, 'achat: - s'],
];

/** Nouns of some of these verbs: what stands before, their endings, those of the infinitive. */
const NOUNS: readonly (readonly [before: string, nouns: string, infinitive: string])[] = [
  ['ad per sou trans retrans', 'mission missions', 'mettre'],
  ['pro', 'messe messes', 'mettre'],
  ['abs de ob re', 'tention tentions', 'tenir'],
  ['con', 'tenant tenants', 'tenir'],
  ['inter pre', 'vention ventions', 'venir'],
  ['pe te', 'inture intures', 'indre'],
  ['pre', 'vision visions', 'voir'],
  ['ven per atten descen', 'te tes', 'dre'],
  ['repon defen', 'se ses', 'dre'],
  ['choi', 'x', 'sir'],
];

/** Every form, with what all those of its verb and of its nouns share: no word is written so. */
export const VERB_FORMS: ReadonlyMap<string, string> = (() => {
  const roots = new Map<string, string>();
  const put = (forms: readonly string[], root: string) => {
    for (const form of forms) roots.set(form, root);
  };
  for (const [befores, ...parts] of VERBS)
    for (const before of listed(befores)) {
      const forms = parts.flatMap((part) => {
        const [root = '', endings = ''] = part.split(': ');
        return listed(endings).map((ending) => before + root + ending);
      });
      put(forms, `${forms[0]}…`);
    }
  for (const [befores, nouns, infinitive] of NOUNS)
    for (const before of listed(befores)) {
      const root = roots.get(before + infinitive);
      if (root === undefined) throw new Error(`no verb ${before}${infinitive}`);
      put(
        listed(nouns).map((noun) => before + noun),
        root,
      );
    }
  return roots;
})();
