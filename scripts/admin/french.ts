import type { Command } from 'commander';

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Usage\u00a0:',
  'Arguments:': 'Arguments\u00a0:',
  'Options:': 'Options\u00a0:',
  'Commands:': 'Commandes\u00a0:',
};

/** What Commander says of what was typed, by its own sentences. */
const FAULTS: readonly (readonly [english: RegExp, french: string])[] = [
  [/^error: missing required argument '(.+)'$/m, 'Il manque <$1>.'],
  [/^error: option '(.+)' argument missing$/m, 'L’option $1 attend une valeur.'],
  [/^error: required option '(.+)' not specified$/m, 'L’option $1 est obligatoire.'],
  [/^error: unknown option '(.+)'$/m, 'L’option $1 est inconnue.'],
  [/^error: unknown command '(.+)'$/m, 'La commande «\u00a0$1\u00a0» est inconnue.'],
  [
    /^error: too many arguments.* Expected (\d+) arguments? but got (\d+): (.*)\.$/m,
    'Trop d’arguments\u00a0: il en faut $1, pas $2 ($3).',
  ],
  [/^\(Did you mean one of (.+)\?\)$/m, '(vouliez-vous dire l’un de $1\u00a0?)'],
  [/^\(Did you mean (.+)\?\)$/m, '(vouliez-vous dire $1\u00a0?)'],
];

/** A complaint of Commander in French; one that it does not know stays as it is. */
function faultInFrench(text: string): string {
  return FAULTS.reduce((said, [english, french]) => said.replace(english, french), text);
}

/** Gives a program, before its commands are added, French words for its help and for what was typed wrong. */
export function speakFrench(program: Command): Command {
  return program
    .helpOption('-h, --help', 'montre l’usage')
    .helpCommand('help [commande]', 'montre l’usage d’une commande')
    .configureHelp({
      styleTitle: (title) => TITLES[title] ?? title,
      styleUsage: (usage) => usage.replace('[command]', '[commande]'),
      styleOptionDescription: (text) => text.replace(/\(default: (.*)\)$/s, '(par défaut\u00a0: $1)'),
    })
    .configureOutput({ outputError: (text, write) => write(faultInFrench(text)) });
}
