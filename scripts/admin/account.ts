import type { Command } from 'commander';
import { date } from '#app/_ui/format.ts';
import { GRANTABLE_PERMISSIONS, type Permission } from '#lib/core/actor.ts';
import { findAccount, findMember } from './find.ts';
import { withMail } from './mail.ts';
import { integer, list, run, withAccount } from './run.ts';

type NewAccount = {
  email: string;
  founder: string;
  capacity: number;
  operator?: boolean;
  json?: boolean;
};
type Common = { account?: string; member?: string; json?: boolean };

/** Said beside a cookie of a configured database: the service that reads it may run elsewhere, under a secret of its own. */
const SIGNED_HERE =
  'Signé par un secret de cette machine\u00a0: seul le service que npm start y lance accepte ce cookie. ' +
  'Pour un autre, donnez ses SERVICE_SESSION_SECRET et SERVICE_PUBLIC_URL.\n';

/** `account`, `member` and `session` commands. */
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
          const { createAccount } = await import('#lib/identity/accounts/create-account.ts');
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
          const { setOperator } = await import('#lib/identity/accounts/set-operator.ts');
          const { id: accountId, name } = await findAccount(ctx, given);
          await setOperator(ctx, { accountId });
          return { accountId, name };
        },
        ({ name }) => console.log(`${name} exploite le service : ses fondateurs voient tous les comptes.`),
      ),
    );

  account
    .command('close <compte>')
    .description('ferme un compte\u00a0: lu, exporté et rouvert pendant 30 jours, puis effacé')
    .requiredOption('--confirm <nom>', 'le nom du compte, tapé de nouveau')
    .option('--json', 'un seul objet JSON')
    .action((given: string, options: { json?: boolean; confirm: string }) =>
      run(
        options,
        async (ctx) => {
          const { closeAccount } = await import('#lib/identity/closing/close-account.ts');
          const { id: accountId, name } = await findAccount(ctx, given);
          const closed = await withMail((post) =>
            closeAccount(ctx, { accountId, name: options.confirm }, post),
          );
          return { accountId, name, ...closed };
        },
        ({ name, erasedFrom }) =>
          console.log(`${name} est fermé\u00a0; il sera effacé le ${date(erasedFrom)}.`),
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
          const { reopenAccount } = await import('#lib/identity/closing/close-account.ts');
          const { id: accountId, name } = await findAccount(ctx, given);
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
      `droits, séparés par des virgules\u00a0: ${GRANTABLE_PERMISSIONS.join(', ')}`,
      list,
      ['brain.write', 'generate'],
    )
    .action((email: string, options: Common & { name: string; founder?: boolean; permissions: string[] }) =>
      run(
        options,
        async (ctx) => {
          const { inviteMember } = await import('#lib/identity/members/invite-member.ts');
          const owner = await findAccount(ctx, options.account);
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
          const { publicUrlOf } = await import('#lib/core/env.ts');
          const { sessionSecret } = await import('#lib/local/secrets.ts');
          const { isSecureService, sessionCookieName, signSessionCookie } = await import(
            '#lib/identity/sessions/session-cookie.ts'
          );
          const { openSessionFor } = await import('#lib/identity/sessions/open-session.ts');
          const owner = await findAccount(ctx, options.account);
          const member = await findMember(ctx, owner.id, options.member);
          const { sessionId, expiresAt } = await openSessionFor(ctx, {
            accountId: owner.id,
            memberId: member.id,
            userAgent: 'admin',
          });
          const name = sessionCookieName(isSecureService(publicUrlOf(process.env)));
          return {
            cookie: `${name}=${await signSessionCookie(sessionId, await sessionSecret())}`,
            sessionId,
            memberId: member.id,
            expiresAt,
          };
        },
        (result) => {
          console.log(result.cookie);
          if (process.env.DATABASE_URL?.trim() && !process.env.SERVICE_SESSION_SECRET)
            process.stderr.write(SIGNED_HERE);
        },
      ),
    );
}
