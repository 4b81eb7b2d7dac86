import type { Command } from 'commander';
import { formatUsd, type Micros } from '#lib/core/money.ts';
import { dataFolder } from '#lib/local/paths.ts';
import type { SweepReport } from '#lib/studio/sweep/sweep-report.ts';
import { findAccount, findMember } from './find.ts';
import { AdminError, MisuseError, micros, run, withAccount } from './run.ts';

function idempotencyKey(text: string): string {
  if (!/^[\x21-\x7e]{1,64}$/.test(text))
    throw new MisuseError('Une clé compte de 1 à 64 caractères ASCII visibles, sans espace.');
  return text;
}

// Commander makes an empty string of a null that an option's parser returns: « none » stays a word until the verb.
type Cap = Micros | 'none';
const cap = (text: string): Cap => (text === 'none' ? text : micros(text));
const capMicros = (typed: Cap) => (typed === 'none' ? null : typed);
const words = (amount: Micros | null) => (amount === null ? 'aucun' : formatUsd(amount));

type Common = { account?: string; member?: string; json?: boolean };

/** `ledger` and `sweep` commands. */
export function studioCommands(program: Command): void {
  const ledger = program.command('ledger').description('portefeuille');
  withAccount(
    ledger
      .command('grant')
      .argument('<dollars>', 'montant, « 2,5 » ou « 2.5 »', micros)
      .description('crédite le portefeuille d’un membre'),
  )
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .option('--note <texte>', 'motif', 'Crédit accordé par l’administration')
    .option('--key <clé>', 'la même clé ne crédite qu’une fois, même relancée', idempotencyKey)
    .action((amountMicros: Micros, options: Common & { note: string; key?: string }) =>
      run(
        options,
        async (ctx) => {
          const { readWallet } = await import('#lib/ledger/reads/read-wallet.ts');
          const { grantCredit } = await import('#lib/ledger/grant-credit.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const member = await findMember(ctx, accountId, options.member);
          const { replayed } = await grantCredit(ctx, {
            memberId: member.id,
            amountMicros,
            note: options.note,
            ...(options.key ? { idempotencyKey: options.key } : {}),
          });
          const wallet = await readWallet(ctx, { memberId: member.id });
          return {
            memberId: member.id,
            grantedMicros: replayed ? 0n : amountMicros,
            balanceMicros: wallet.balanceMicros,
          };
        },
        (result) =>
          console.log(
            result.grantedMicros === 0n
              ? `Déjà crédité sous cette clé\u00a0; solde ${formatUsd(result.balanceMicros)}.`
              : `Crédité de ${formatUsd(result.grantedMicros)}\u00a0; solde ${formatUsd(result.balanceMicros)}.`,
          ),
      ),
    );
  withAccount(
    ledger
      .command('give')
      .argument('<dollars>', 'montant, « 2,5 » ou « 2.5 »', micros)
      .description('crédite un compte : ses fondateurs répartissent entre ses membres'),
  )
    .option('--note <texte>', 'motif')
    .option('--key <clé>', 'la même clé ne crédite qu’une fois, même relancée', idempotencyKey)
    .action((amountMicros: Micros, options: Common & { note?: string; key?: string }) =>
      run(
        options,
        async (ctx) => {
          const { giveToAccount } = await import('#lib/ledger/budget/give-to-account.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const { balanceMicros, replayed } = await giveToAccount(ctx, {
            accountId,
            amountMicros,
            ...(options.note ? { note: options.note } : {}),
            ...(options.key ? { idempotencyKey: options.key } : {}),
          });
          return { accountId, givenMicros: replayed ? 0n : amountMicros, balanceMicros };
        },
        (result) => console.log(`À répartir : ${formatUsd(result.balanceMicros)}.`),
      ),
    );
  withAccount(
    ledger
      .command('ceiling')
      .argument('<dollars>', 'par mois UTC, tous membres confondus, ou none', cap)
      .description('fixe le plafond mensuel d’un compte'),
  ).action((typed: Cap, options: Common) =>
    run(
      options,
      async (ctx) => {
        const { setCeiling } = await import('#lib/ledger/budget/set-ceiling.ts');
        const accountId = (await findAccount(ctx, options.account)).id;
        const monthlyCeilingMicros = capMicros(typed);
        await setCeiling(ctx, { accountId, monthlyCeilingMicros });
        return { accountId, monthlyCeilingMicros };
      },
      (result) => console.log(`Plafond mensuel du compte : ${words(result.monthlyCeilingMicros)}.`),
    ),
  );
  withAccount(
    ledger
      .command('cap')
      .description('fixe les plafonds d’un membre ; celui qui n’est pas donné ne change pas'),
  )
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .option('--generation <dollars>', 'par génération, ou none', cap)
    .option('--month <dollars>', 'par mois, ou none', cap)
    .action((options: Common & { generation?: Cap; month?: Cap }) => {
      if (options.generation === undefined && options.month === undefined)
        throw new MisuseError('Donnez --generation, --month, ou les deux.');
      return run(
        options,
        async (ctx) => {
          const { setCaps } = await import('#lib/ledger/set-caps.ts');
          const { readWallet } = await import('#lib/ledger/reads/read-wallet.ts');
          const accountId = (await findAccount(ctx, options.account)).id;
          const memberId = (await findMember(ctx, accountId, options.member)).id;
          await setCaps(ctx, {
            memberId,
            ...(options.generation === undefined
              ? {}
              : { perGenerationCapMicros: capMicros(options.generation) }),
            ...(options.month === undefined ? {} : { monthlyCapMicros: capMicros(options.month) }),
          });
          const { perGenerationCapMicros, monthlyCapMicros } = await readWallet(ctx, { memberId });
          return { memberId, perGenerationCapMicros, monthlyCapMicros };
        },
        (result) =>
          console.log(
            `Plafonds : ${words(result.perGenerationCapMicros)} par génération, ${words(result.monthlyCapMicros)} par mois.`,
          ),
      );
    });
  program
    .command('sweep')
    .description('demande au service une relève des générations en cours, comme la tâche planifiée')
    .option('--json', 'un seul objet JSON')
    .action(async (options: { json?: boolean }) => {
      const report = await askSweep();
      if (options.json) return console.log(JSON.stringify(report));
      console.log(sweepSentence(report));
    });
}

/** What a pass counted, as a person reads it; a count that this version does not know keeps its name. */
const SWEEP_WORDS: Readonly<Record<string, string>> = {
  settled: 'débits en attente écrits',
  reconciled: 'lignes closes ou remboursées',
  errors: 'en échec, reprises à la prochaine relève',
  videoSettled: 'vidéos livrées',
  videoFailed: 'vidéos en échec',
  videoTimeout: 'vidéos hors délai',
  videoPending: 'vidéos encore en cours',
} satisfies Record<keyof SweepReport, string>;

function sweepSentence(report: Record<string, unknown>): string {
  const counts = Object.entries(report).map(
    ([name, count]) => `  ${SWEEP_WORDS[name] ?? name}\u00a0: ${String(count)}`,
  );
  return ['Relève faite.', ...counts].join('\n');
}

type Answer = Record<string, unknown> & { error?: { message?: string } };

/** The providers and their callbacks belong to the running service, so the shell asks it, as the scheduler does. */
async function askSweep(): Promise<Record<string, unknown>> {
  const { publicUrlOf } = await import('#lib/core/env.ts');
  const { readRunningServer } = await import('#lib/local/state.ts');
  const { localSecrets } = await import('#lib/local/secrets.ts');
  const running = await readRunningServer(dataFolder());
  const origin = publicUrlOf(process.env) ?? running?.url;
  if (!origin)
    throw new AdminError('Aucun service ne tourne : lancez npm start, ou donnez SERVICE_PUBLIC_URL.');
  const secret = process.env.CRON_SECRET || (await localSecrets()).CRON_SECRET;
  const answer = await fetch(`${origin}/api/cron/generations-sweep`, {
    headers: { authorization: `Bearer ${secret}` },
  }).catch(() => {
    throw new AdminError(`Le service ne répond pas à l’adresse ${origin}.`);
  });
  // A balancer with nobody behind it answers a page.
  const body = (await answer.json().catch(() => undefined)) as Answer | undefined;
  if (!answer.ok || !body)
    throw new AdminError(body?.error?.message ?? `Le service a répondu ${answer.status}.`);
  return body;
}
