import type { Command } from 'commander';
import { formatUsd, microsFromUsd } from '#lib/core/money.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { readWallet } from '#lib/ledger/wallet.ts';
import { dataFolder } from '#lib/local/paths.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { readRunningServer } from '#lib/local/state.ts';
import { AdminError, findAccount, findMember, run, withAccount } from './run.ts';

type Common = { account?: string; member?: string; json?: boolean };

/** `ledger` and `sweep` commands. */
export function studioCommands(program: Command): void {
  withAccount(
    program
      .command('ledger')
      .description('portefeuille')
      .command('grant <dollars>')
      .description('crédite le portefeuille d’un membre'),
  )
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .option('--note <texte>', 'motif', 'Crédit accordé par l’administration')
    .action((dollars: string, options: Common & { note: string }) =>
      run(
        options,
        async (ctx) => {
          if (!/^\d+([.,]\d{1,6})?$/.test(dollars))
            throw new AdminError(`« ${dollars} » n’est pas un montant en dollars.`);
          const accountId = (await findAccount(ctx.db, options.account)).id;
          const member = await findMember(ctx.db, accountId, options.member);
          const amountMicros = microsFromUsd(dollars.replace(',', '.'));
          await grantCredit(ctx, { memberId: member.id, amountMicros, note: options.note });
          const wallet = await readWallet(ctx, { memberId: member.id });
          return { memberId: member.id, grantedMicros: amountMicros, balanceMicros: wallet.balanceMicros };
        },
        (result) =>
          console.log(
            `Crédité de ${formatUsd(result.grantedMicros)} ; solde ${formatUsd(result.balanceMicros)}.`,
          ),
      ),
    );
  program
    .command('sweep')
    .description('demande au service une relève des générations en cours, comme la tâche planifiée')
    .option('--json', 'un seul objet JSON')
    .action(async (options: { json?: boolean }) => {
      const report = await askSweep();
      if (options.json) return console.log(JSON.stringify(report));
      const counts = Object.entries(report).map(([name, count]) => `${name} ${String(count)}`);
      console.log(counts.join(', '));
    });
}

/** The providers and their callbacks belong to the running service, so the shell asks it, as the scheduler does. */
async function askSweep(): Promise<Record<string, unknown>> {
  const running = await readRunningServer(dataFolder());
  const origin = process.env.SERVICE_PUBLIC_URL ?? running?.url;
  if (!origin)
    throw new AdminError('Aucun service ne tourne : lancez npm start, ou donnez SERVICE_PUBLIC_URL.');
  const secret = process.env.CRON_SECRET ?? (await localSecrets()).CRON_SECRET;
  const answer = await fetch(`${origin}/api/cron/generations-sweep`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  const body = (await answer.json()) as Record<string, unknown> & { error?: { message?: string } };
  if (!answer.ok) throw new AdminError(body.error?.message ?? `Le service a répondu ${answer.status}.`);
  return body;
}
