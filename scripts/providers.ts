import './env-file.ts';

import { type CheckedProvider, checkProviders } from '#lib/providers/wiring/check-providers.ts';

// npm run providers -- check: one harmless question to each outside service that has its key. Exit codes: 0 all answer, 1 one does not, 2 misused.
if (process.argv[2] !== 'check') {
  console.error('Usage : npm run providers -- check');
  process.exit(2);
}

const words = ({ said, missing }: CheckedProvider): string => {
  const without = missing.length > 0 ? ` (absent : ${missing.join(', ')})` : '';
  if (said === 'no-key') return `sans clé, rien n’a été envoyé${without}`;
  return said === 'answers' ? `répond, la clé est acceptée${without}` : `ne sert pas : ${said}${without}`;
};

const checked = await checkProviders(process.env);
for (const one of checked) console.log(`${one.service.padEnd(11)} ${words(one)}`);
if (checked.every(({ said }) => said === 'no-key'))
  console.log('Aucune clé n’est configurée : le studio joue des réponses enregistrées (docs/providers.md).');
process.exitCode = checked.some(({ said }) => said !== 'answers' && said !== 'no-key') ? 1 : 0;
