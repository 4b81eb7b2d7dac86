import type { Command } from 'commander';
import { SCOPES, type Scope } from '#lib/core/actor.ts';
import { formatUsd, type Micros } from '#lib/core/money.ts';
import type { KeyLifetimeDays } from '#lib/identity/keys/developer-keys.ts';
import { findAccount, findKey, findMember } from './find.ts';
import { type AdminContext, integer, list, micros, run, withAccount } from './run.ts';

type KeyOptions = Common & { scopes?: string[]; days: number | 'never'; cap?: Micros };
type Common = { account?: string; member?: string; json?: boolean };

const days = (text: string) => (text === 'never' ? text : integer(text));
const reads = (text: string) => (text === 'default' ? null : integer(text));

async function changeAllowance(
  ctx: AdminContext,
  options: Common,
  change: { capacityCu: number } | { contractualReads: number | null },
) {
  const { setAllowance } = await import('#lib/brain/quota/set-allowance.ts');
  return setAllowance(ctx, { accountId: (await findAccount(ctx, options.account)).id, ...change });
}

/** `key`, `capacity` and `quota` commands. */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('clés de développeur');
  withAccount(key.command('create <nom>').description('crée une clé, montrée une seule fois'))
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .option('--scopes <liste>', `droits : ${SCOPES.join(', ')}`, list)
    .option('--days <jours>', '30, 90, 365 ou never', days, 90)
    .option('--cap <dollars>', 'plafond par mois, obligatoire avec studio:generate', micros)
    .action((name: string, options: KeyOptions) =>
      run(
        options,
        async (ctx) => {
          const { createKey } = await import('#lib/identity/keys/create-key.ts');
          const owner = await findAccount(ctx, options.account);
          const member = await findMember(ctx, owner.id, options.member);
          const created = await createKey(ctx, {
            accountId: owner.id,
            memberId: member.id,
            name,
            scopes: options.scopes as Scope[] | undefined,
            expiresInDays: (options.days === 'never' ? null : options.days) as KeyLifetimeDays,
            monthlyCapMicros: options.cap,
          });
          return { ...created, waitsForSignIn: member.status === 'INVITED' };
        },
        (result) => {
          console.log(
            `${result.secret}\nGardez-la\u00a0: elle ne sera plus montrée. Droits\u00a0: ${result.scopes.join(', ')}.`,
          );
          if (result.monthlyCapMicros !== null)
            console.log(`Plafond par mois\u00a0: ${formatUsd(result.monthlyCapMicros)}.`);
          if (result.waitsForSignIn)
            console.log(
              'Son membre est invité et n’est jamais entré : la clé sera refusée jusqu’à sa première connexion.',
            );
        },
      ),
    );
  withAccount(
    key
      .command('cap')
      .argument('<clé>', 'nom ou identifiant')
      .argument('<dollars>', 'plafond par mois, «\u00a02,5\u00a0» ou «\u00a02.5\u00a0»', micros)
      .description('change le plafond par mois d’une clé'),
  ).action((given: string, monthlyCapMicros: Micros, options: Common) =>
    run(
      options,
      async (ctx) => {
        const { setKeyCap } = await import('#lib/identity/keys/set-key-cap.ts');
        const owner = await findAccount(ctx, options.account);
        const { id: keyId } = await findKey(ctx, owner.id, given);
        await setKeyCap(ctx, { accountId: owner.id, keyId, monthlyCapMicros });
        return { keyId, monthlyCapMicros };
      },
      (result) => console.log(`Plafond par mois\u00a0: ${formatUsd(result.monthlyCapMicros)}.`),
    ),
  );
  withAccount(
    key.command('revoke <clé>').description('révoque une clé, aussitôt ; nom ou identifiant'),
  ).action((given: string, options: Common) =>
    run(
      options,
      async (ctx) => {
        const { revokeKey } = await import('#lib/identity/keys/revoke-key.ts');
        const owner = await findAccount(ctx, options.account);
        const { id: keyId } = await findKey(ctx, owner.id, given);
        await revokeKey(ctx, { accountId: owner.id, keyId });
        return { keyId, revoked: true };
      },
      ({ keyId }) => console.log(`Clé ${keyId} révoquée.`),
    ),
  );
  withAccount(key.command('list').description('liste les clés du compte')).action((options: Common) =>
    run(
      options,
      async (ctx) => {
        const { listKeys } = await import('#lib/identity/keys/list-keys.ts');
        return { keys: await listKeys(ctx, { accountId: (await findAccount(ctx, options.account)).id }) };
      },
      ({ keys }) => {
        for (const one of keys) {
          const state = one.revokedAt
            ? 'révoquée'
            : one.expiresAt && one.expiresAt <= new Date()
              ? 'expirée'
              : 'active';
          console.log(`${one.id}  ${one.prefix}…  ${state}  ${one.scopes.join(',')}  ${one.name}`);
        }
        if (keys.length === 0) console.log('Aucune clé.');
      },
    ),
  );

  withAccount(
    program
      .command('capacity')
      .description('capacité')
      .command('set')
      .argument('<cu>', 'capacité, en CU', integer)
      .description('fixe la capacité du compte, en CU'),
  ).action((capacityCu: number, options: Common) =>
    run(
      options,
      async (ctx) => {
        const updated = await changeAllowance(ctx, options, { capacityCu });
        return { accountId: updated.id, capacityCu: updated.capacityCu, usedCu: updated.usedCu };
      },
      (result) => console.log(`Capacité : ${result.usedCu} / ${result.capacityCu} CU.`),
    ),
  );
  withAccount(
    program
      .command('quota')
      .description('quota de lectures')
      .command('set')
      .argument('<lectures>', 'lectures par mois, ou « default »', reads)
      .description('fixe les lectures par mois (« default »\u00a0: capacité × 10)'),
  ).action((contractualReads: number | null, options: Common) =>
    run(
      options,
      async (ctx) => {
        const updated = await changeAllowance(ctx, options, { contractualReads });
        return { accountId: updated.id, contractualReads: updated.contractualReads };
      },
      (result) => console.log(`Lectures par mois : ${result.contractualReads ?? 'capacité × 10'}.`),
    ),
  );
}
