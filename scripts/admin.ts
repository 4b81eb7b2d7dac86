import './env-file.ts';

import { Command } from 'commander';
import { ServiceError } from '#lib/core/errors.ts';
import { accountCommands } from './admin/account.ts';
import { brainCommands } from './admin/brain.ts';
import { filesCommands } from './admin/files.ts';
import { speakFrench } from './admin/french.ts';
import { keyCommands } from './admin/keys.ts';
import { AdminError, EXIT, MisuseError } from './admin/run.ts';
import { studioCommands } from './admin/studio.ts';

// npm run admin -- <command>: the app's own verbs from a shell. Exit codes: 0 done, 1 refused, 2 misused, 3 incomplete.
const program = speakFrench(new Command('admin'))
  .description(
    'Administration d’Atelier. Chaque commande accepte un nom ou un identifiant, et --json pour un seul objet JSON.',
  )
  .showHelpAfterError('(--help montre l’usage)')
  .exitOverride();

for (const register of [accountCommands, keyCommands, brainCommands, studioCommands, filesCommands])
  register(program);

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = await explain(error);
}

async function explain(error: unknown): Promise<number> {
  const known = error as { code?: string; exitCode?: number; name?: string };
  if (known.code?.startsWith('commander.')) return known.exitCode === 0 ? EXIT.done : EXIT.misused;
  if (error instanceof AdminError) {
    console.error(error.message);
    return error instanceof MisuseError ? EXIT.misused : EXIT.refused;
  }
  if (error instanceof ServiceError) {
    const { errorMessage } = await import('#lib/messages/fr.ts');
    console.error(errorMessage(error));
    for (const problem of error.options.problems ?? [])
      console.error(`  ${problem.field}\u00a0: ${problem.message}`);
    return EXIT.refused;
  }
  const { faultSentence } = await import('./admin/fault-sentence.ts');
  console.error(faultSentence(error));
  return EXIT.refused;
}
