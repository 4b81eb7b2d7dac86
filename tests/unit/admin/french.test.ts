import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { speakFrench } from '../../../scripts/admin/french.ts';

/** What the program writes, on either stream, when this is typed. */
async function said(...typed: string[]): Promise<string> {
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const program = speakFrench(new Command('admin'))
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write });
  program
    .command('key')
    .description('clés')
    .command('create <nom>')
    .description('crée une clé')
    .requiredOption('--email <adresse>', 'adresse')
    .option('--days <jours>', 'durée', '90')
    .action(() => undefined);
  await program.parseAsync(typed, { from: 'user' }).catch(() => undefined);
  return text;
}

const right = ['key', 'create', 'essai', '--email', 'a@exemple.fr'];

describe('what was typed wrong is told in French', () => {
  test.each<[string[], string]>([
    [['key', 'create', '--email', 'a@exemple.fr'], 'Il manque <nom>.\n'],
    [['key', 'create', 'essai'], 'L’option --email <adresse> est obligatoire.\n'],
    [[...right, '--days'], 'L’option --days <jours> attend une valeur.\n'],
    [[...right, '--zzz'], 'L’option --zzz est inconnue.\n'],
    [[...right, '--day', '3'], 'L’option --day est inconnue.\n(vouliez-vous dire --days\u00a0?)\n'],
    [['zzzzz'], 'La commande «\u00a0zzzzz\u00a0» est inconnue.\n'],
    [[...right, 'autre'], 'Trop d’arguments\u00a0: il en faut 1, pas 2 (essai, autre).\n'],
  ])('%j', async (typed, expected) => {
    expect(await said(...typed)).toBe(expected);
  });

  test('nothing is said of what is right', async () => {
    expect(await said(...right)).toBe('');
  });
});

test('the help has French titles, and no word of Commander’s own', async () => {
  const pages = [await said('--help'), await said('key', '--help'), await said('key', 'create', '--help')];
  const help = pages.join('');
  for (const title of ['Usage', 'Options', 'Commandes']) expect(help).toContain(`${title}\u00a0:`);
  expect(help).toContain('(par défaut\u00a0: "90")');
  expect(help).toContain('montre l’usage');
  expect(help).not.toMatch(/display|default|command\b|Commands/);
});
