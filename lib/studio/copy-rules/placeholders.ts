import type { Finding } from './copy-problem.ts';

/** What a writer, a template or a program leaves when a blank was not filled. Each gap is bounded, so matching stays linear. */
const PLACEHOLDERS = [
  /\{\{[^{}\n]{0,80}\}\}/, // {{nom}}
  /[$#]?\{[^{}\n]{1,80}\}/, // {nom}, ${nom}
  /<%[^%\n]{0,80}%>/, // <%= nom %>
  /%[A-Z][A-Z0-9_]{1,40}%/, // %NOM%
  /\[(?!sic\]|SIC\])(?=[^\]\n]{0,80}\p{L})[^[\]\n]{1,80}\]/u, // [NOM], [votre prix]
  /<(?=[\p{L}/!])[^<>\n]{1,80}>/u, // <à compléter>, <b>
  /\(\s?(?:à|a)\s(?:compléter|completer|remplir|définir|definir|préciser|preciser)\s?\)/i,
  /(?<![\p{L}\p{N}])(?:[xX]{3,}|TODO|FIXME|TBD|TBC|N\/C)(?![\p{L}\p{N}])/u,
  /(?<![\p{L}\p{N}])lorem\sipsum(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:votre|mon|le|un|du)\s(?:texte|titre|nom|prénom|slogan|logo|message)\sici(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:insérez|insérer|inserez|inserer)\s(?:ici|votre|vos|le|la|un|une)(?![\p{L}\p{N}])/iu,
  /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])/u,
  /(?<!_)_{3,}(?!_)|(?<![\p{L}\p{N}_])__[A-Z][A-Z0-9_]{0,40}__(?![\p{L}\p{N}_])/u,
];

const ANY = new RegExp(
  PLACEHOLDERS.map(({ source, flags }) => (flags.includes('i') ? anyCase(source) : source)).join('|'),
  'gu',
);

/** Blanks of one text that were never filled. */
export function findPlaceholders(text: string): Finding[] {
  return [...text.matchAll(ANY)].map((match) => ({
    rule: 'template',
    start: match.index,
    end: match.index + match[0].length,
    message: `« ${match[0]} » n’a pas été rempli.`,
  }));
}

/** The pattern within a larger one, with its own indifference to case. */
function anyCase(source: string): string {
  return `(?i:${source})`;
}
