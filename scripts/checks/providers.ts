import '../env-file.ts';

import { formatUsd } from '#lib/core/money.ts';
import { type CheckedProvider, checkPrices, checkProviders } from '#lib/providers/wiring/check-providers.ts';

// npm run providers -- check: one harmless question to each outside service that has its key. Exit codes: 0 all answer, 1 one does not, 2 misused.
// npm run providers -- refusals: nine video cases × widest request × each documented refusal, on the recorded services, without keys.
const [wanted] = process.argv.slice(2);
if (wanted === 'refusals') {
  const { refusalMatrix } = await import('#tests/unit/providers/refusal-matrix.ts');
  const lines = await refusalMatrix();
  for (const line of lines)
    console.log(
      line.rule === null
        ? `${line.case} (${line.model})\u00a0: ${line.request}${line.unserved ? ` (en direct\u00a0: not_configured, ${line.unserved})` : ''}\n  ${line.status} ${line.says}`
        : `  ${line.status} ${line.rule}\u00a0: ${line.says}  ${line.source}`,
    );
  const isRight = ({ rule, status }: { rule: string | null; status: number }) =>
    rule === null ? status === 200 : status >= 400 && status < 500;
  const wrong = lines.filter((line) => !isRight(line)).length;
  const asked = lines.filter(({ rule }) => rule === null).length;
  console.log(
    `${asked} demandes légales, ${lines.length - asked} refus, ${wrong} qui ne sont pas ce que la table dit.`,
  );
  process.exit(wrong === 0 ? 0 : 1);
}
if (wanted !== 'check') {
  console.error('Usage\u00a0: npm run providers -- check | refusals');
  process.exit(2);
}

const words = ({ service, said, missing }: CheckedProvider): string => {
  const without = missing.length > 0 ? ` (absent\u00a0: ${missing.join(', ')})` : '';
  if (said === 'no-key') return `sans clé, rien n’a été envoyé${without}`;
  if (service === 'github' && said === 'answers')
    return `répond, la clé voit le workflow\u00a0; si elle peut en lancer un, le premier rendu le dira${without}`;
  if (service === 'github' && said === 'not-found')
    return `répond que le dépôt ou son workflow atelier-render.yml n’existe pas, ou que la clé ne le voit pas\u00a0: GitHub ne distingue pas les deux${without}`;
  return said === 'answers'
    ? `répond, la clé est acceptée${without}`
    : `ne sert pas\u00a0: ${said}${without}`;
};

const checked = await checkProviders(process.env);
for (const one of checked) console.log(`${one.service.padEnd(11)} ${words(one)}`);
if (checked.every(({ said }) => said === 'no-key'))
  console.log(
    'Aucune clé n’est configurée\u00a0: le studio joue des réponses enregistrées (docs/providers.md).',
  );
const prices = await checkPrices(process.env);
if (prices?.outcome === 'failed')
  console.log(`prix        la liste des modèles n’a pas pu être lue\u00a0: ${prices.reason}`);
if (prices?.outcome === 'compared')
  for (const { case: name, modelId, what, oursMicros, listedMicros, said } of prices.prices) {
    const words = {
      same: 'le même',
      differs: `la passerelle dit ${listedMicros === null ? '' : formatUsd(listedMicros)}`,
      'no-price': 'la passerelle ne le dit pas',
      'no-model': 'la passerelle n’a pas ce modèle',
    }[said];
    console.log(
      `${said === 'differs' ? '≠' : ' '} ${name.padEnd(14)} ${modelId} ${what}\u00a0: ${formatUsd(oursMicros)}, ${words}`,
    );
  }
process.exitCode = checked.some(({ said }) => said !== 'answers' && said !== 'no-key') ? 1 : 0;
