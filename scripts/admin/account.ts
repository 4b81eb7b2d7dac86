import type { Command } from 'commander';
import { setAllowance } from '#lib/brain/quota/set-allowance.ts';
import { GRANTABLE_PERMISSIONS, type Permission, SCOPES, type Scope } from '#lib/core/actor.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import type { KeyLifetimeDays } from '#lib/identity/keys/developer-keys.ts';
import { listKeys } from '#lib/identity/keys/list-keys.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { createAccount } from '#lib/identity/members/create-account.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { setOperator } from '#lib/identity/members/set-operator.ts';
import { openSessionFor } from '#lib/identity/sessions/open-session.ts';
import {
  isSecureService,
  sessionCookieName,
  signSessionCookie,
} from '#lib/identity/sessions/session-cookie.ts';
import { sessionSecret } from '#lib/local/secrets.ts';
import { withMail } from './mail.ts';
import { findAccount, findKey, findMember, integer, run, withAccount } from './run.ts';

type NewAccount = {
  email: string;
  founder: string;
  capacity: number;
  operator?: boolean;
  json?: boolean;
};
type Common = { account?: string; member?: string; json?: boolean };

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const days = (text: string) => (text === 'never' ? text : integer(text));
const reads = (text: string) => (text === 'default' ? null : integer(text));

/** `account`, `member`, `session`, `key`, `capacity` and `quota` commands. */
export function accountCommands(program: Command): void {
  const account = program.command('account').description('comptes');
  account
    .command('create <nom>')
    .description('crée un compte et son fondateur')
    .requiredOption('--email <adresse>', 'adresse du fondateur')
    .option('--founder <nom>', 'nom du fondateur', '')
    .option('--capacity <cu>', 'capacité de contexte, en CU', integer, 0)
    .option('--operator', 'le compte de ceux qui exploitent le service (un seul)')
    .option('--json', 'un seul objet JSON')
    .action((name: string, options: NewAccount) =>
      run(
        options,
        async (ctx) => {
          const created = await createAccount(ctx, {
            name,
            founder: { email: options.email, name: options.founder },
            capacityCu: options.capacity,
            operator: options.operator ?? false,
          });
          return {
            accountId: created.account.id,
            memberId: created.founder.id,
            name: created.account.name,
            capacityCu: created.account.capacityCu,
            operator: created.account.isOperator,
          };
        },
        (result) =>
          console.log(
            `Compte ${result.name} créé : ${result.accountId} (fondateur ${result.memberId}).${result.operator ? ' Il exploite le service.' : ''}`,
          ),
      ),
    );
  account
    .command('operator <compte>')
    .description('fait d’un compte, par son nom ou son identifiant, celui de l’exploitant du service')
    .option('--json', 'un seul objet JSON')
    .action((given: string, options: { json?: boolean }) =>
      run(
        options,
        async (ctx) => {
          const { id: accountId, name } = await findAccount(ctx.db, given);
          await setOperator(ctx, { accountId });
          return { accountId, name };
        },
        ({ name }) => console.log(`${name} exploite le service : ses fondateurs voient tous les comptes.`),
      ),
    );

  account
    .command('close <compte>')
    .description('ferme un compte : lu, exporté et rouvert pendant 30 jours, puis effacé')
    .requiredOption('--confirm <nom>', 'le nom du compte, tapé de nouveau')
    .option('--json', 'un seul objet JSON')
    .action((given: string, options: { json?: boolean; confirm: string }) =>
      run(
        options,
        async (ctx) => {
          const { id: accountId, name } = await findAccount(ctx.db, given);
          const closed = await withMail((post) =>
            closeAccount(ctx, { accountId, name: options.confirm }, post),
          );
          return { accountId, name, ...closed };
        },
        ({ name, erasedFrom }) =>
          console.log(`${name} est fermé ; il sera effacé le ${erasedFrom.toISOString().slice(0, 10)}.`),
      ),
    );
  account
    .command('reopen <compte>')
    .description('rouvre un compte fermé')
    .option('--json', 'un seul objet JSON')
    .action((given: string, options: { json?: boolean }) =>
      run(
        options,
        async (ctx) => {
          const { id: accountId, name } = await findAccount(ctx.db, given);
          await withMail((post) => reopenAccount(ctx, { accountId }, post));
          return { accountId, name };
        },
        ({ name }) => console.log(`${name} est rouvert.`),
      ),
    );

  withAccount(
    program
      .command('member')
      .description('membres')
      .command('invite <adresse>')
      .description('invite un membre'),
  )
    .requiredOption('--name <nom>', 'nom du membre')
    .option('--founder', 'avec le rôle de fondateur')
    .option(
      '--permissions <liste>',
      `droits, séparés par des virgules : ${GRANTABLE_PERMISSIONS.join(', ')}`,
      list,
      ['brain.write', 'generate'],
    )
    .action((email: string, options: Common & { name: string; founder?: boolean; permissions: string[] }) =>
      run(
        options,
        async (ctx) => {
          const owner = await findAccount(ctx.db, options.account);
          const member = await inviteMember(ctx, {
            accountId: owner.id,
            email,
            name: options.name,
            role: options.founder ? 'FOUNDER' : 'MEMBER',
            permissions: options.permissions as Permission[],
          });
          return {
            memberId: member.id,
            accountId: owner.id,
            role: member.role,
            permissions: member.permissions,
          };
        },
        (result) =>
          console.log(`Membre ${result.memberId} invité ; il entre avec un code envoyé à son adresse.`),
      ),
    );

  withAccount(
    program
      .command('session')
      .description('sessions')
      .command('create')
      .description('ouvre une session et imprime son cookie'),
  )
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .action((options: Common) =>
      run(
        options,
        async (ctx) => {
          const owner = await findAccount(ctx.db, options.account);
          const member = await findMember(ctx.db, owner.id, options.member);
          const { sessionId, expiresAt } = await openSessionFor(ctx, {
            accountId: owner.id,
            memberId: member.id,
            userAgent: 'admin',
          });
          const name = sessionCookieName(isSecureService(process.env.SERVICE_PUBLIC_URL));
          return {
            cookie: `${name}=${await signSessionCookie(sessionId, await sessionSecret())}`,
            sessionId,
            memberId: member.id,
            expiresAt,
          };
        },
        (result) => console.log(result.cookie),
      ),
    );

  const key = program.command('key').description('clés de développeur');
  withAccount(key.command('create <nom>').description('crée une clé, montrée une seule fois'))
    .option('--member <membre>', 'nom, adresse ou identifiant (le premier fondateur, par défaut)')
    .option('--scopes <liste>', `droits : ${SCOPES.join(', ')}`, list)
    .option('--days <jours>', '30, 90, 365 ou never', days, 90)
    .action((name: string, options: Common & { scopes?: string[]; days: number | 'never' }) =>
      run(
        options,
        async (ctx) => {
          const owner = await findAccount(ctx.db, options.account);
          const member = await findMember(ctx.db, owner.id, options.member);
          return createKey(ctx, {
            accountId: owner.id,
            memberId: member.id,
            name,
            scopes: options.scopes as Scope[] | undefined,
            expiresInDays: (options.days === 'never' ? null : options.days) as KeyLifetimeDays,
          });
        },
        (result) =>
          console.log(
            `${result.secret}\nGardez-la : elle ne sera plus montrée. Droits : ${result.scopes.join(', ')}.`,
          ),
      ),
    );
  withAccount(
    key.command('revoke <clé>').description('révoque une clé, aussitôt ; nom ou identifiant'),
  ).action((given: string, options: Common) =>
    run(
      options,
      async (ctx) => {
        const owner = await findAccount(ctx.db, options.account);
        const { id: keyId } = await findKey(ctx.db, owner.id, given);
        await revokeKey(ctx, { accountId: owner.id, keyId });
        return { keyId, revoked: true };
      },
      ({ keyId }) => console.log(`Clé ${keyId} révoquée.`),
    ),
  );
  withAccount(key.command('list').description('liste les clés du compte')).action((options: Common) =>
    run(
      options,
      async (ctx) => ({
        keys: await listKeys(ctx, { accountId: (await findAccount(ctx.db, options.account)).id }),
      }),
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
        const updated = await setAllowance(ctx, {
          accountId: (await findAccount(ctx.db, options.account)).id,
          capacityCu,
        });
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
      .description('fixe les lectures par mois (« default » : capacité × 10)'),
  ).action((contractualReads: number | null, options: Common) =>
    run(
      options,
      async (ctx) => {
        const updated = await setAllowance(ctx, {
          accountId: (await findAccount(ctx.db, options.account)).id,
          contractualReads,
        });
        return { accountId: updated.id, contractualReads: updated.contractualReads };
      },
      (result) => console.log(`Lectures par mois : ${result.contractualReads ?? 'capacité × 10'}.`),
    ),
  );
}
