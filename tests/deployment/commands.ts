import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMPILED_COMMANDS } from '../../scripts/deploy/compiled-commands.ts';
import { type Deployment, inTree } from './deployment.ts';

/**
 * Each admin command that an operator types, once, as the tree's `admin` runs it, from its start to its end: how long it took. Told, not judged: seconds belong to the
 * machine and to what else it does; what a command loads is judged in tests/integration/admin/modules.test.ts.
 */
export function timeCommands(on: Deployment, tree: string, env: Record<string, string>): void {
  const folder = path.join(on.root, 'texts');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'ton.md'), '# Ton\n\nCalme.\n');
  const commands: string[][] = [
    ['--help'],
    ['account', 'create', 'Minuté', '--email', 'minute@atelier.example', '--capacity', '100'],
    ['member', 'invite', 'invite@atelier.example', '--name', 'Invitée'],
    ['session', 'create'],
    ['space', 'create', 'Marque'],
    ['space', 'import', folder, '--space', 'Marque'],
    ['project', 'create', 'Projet', '--website', 'https://atelier.example'],
    ['key', 'create', 'Minutée', '--scopes', 'brain:read'],
    ['key', 'create', 'Plus tôt', '--scopes', 'brain:read', '--member', 'invite@atelier.example'],
    ['key', 'list'],
    ['key', 'revoke', 'Minutée'],
    ['capacity', 'set', '200'],
    ['quota', 'set', '2000'],
    ['ledger', 'give', '5'],
    ['ledger', 'grant', '2'],
    ['ledger', 'cap', '--generation', '0.50', '--month', '1'],
    ['ledger', 'ceiling', '4'],
    ['storage', 'set', '5'],
    ['retention', '--dry-run'],
  ];
  const took: { name: string; seconds: number }[] = [];
  const faults: string[] = [];
  const asAdmin = { ...env, NODE_COMPILE_CACHE: path.join(tree, COMPILED_COMMANDS) };
  const cpuBefore = childrenCpuSeconds();
  for (const command of commands) {
    const isOfAccount = !['--help', 'account', 'retention'].includes(command[0] ?? '');
    const beganAt = performance.now();
    try {
      inTree(tree, asAdmin, [
        'scripts/admin.ts',
        ...command,
        ...(isOfAccount ? ['--account', 'Minuté'] : []),
      ]);
    } catch (error) {
      faults.push(`${command.slice(0, 2).join(' ')}: ${error instanceof Error ? error.message : error}`);
    }
    const seconds = (performance.now() - beganAt) / 1_000;
    took.push({ name: command.slice(0, 2).join(' '), seconds });
  }
  const within = took.filter(({ seconds }) => seconds <= 1).length;
  const slowest = took.toSorted((a, b) => b.seconds - a.seconds).slice(0, 4);
  on.steps.push({
    what: `${took.length} admin commands, ${within} within a second; each ${((childrenCpuSeconds() - cpuBefore) / took.length).toFixed(2)} s of processor on average; the slowest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(1)} s`).join(', ')}`,
    ...(faults.length ? { fault: faults.join('\n    ') } : {}),
  });
}

/** The processor's time of the programs that this one started and that ended: what a busy machine does not change. Ticks of a hundredth, as Linux gives them. */
function childrenCpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
