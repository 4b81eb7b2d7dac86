import type { Command } from 'commander';
import { formatUsd, microsFromUsd } from '#lib/core/money.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { readWallet } from '#lib/ledger/wallet.ts';
import { AdminError, findAccount, findMember, run, withAccount } from './run.ts';

type Common = { account?: string; member?: string; json?: boolean };

/** `ledger` commands. */
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
}
