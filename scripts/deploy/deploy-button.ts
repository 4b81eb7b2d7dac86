import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

/** The drawing of the button, which is the repository's own. */
export const BUTTON_IMAGE = 'docs/images/deploy-on-vercel.svg';

/** What a production on Vercel is given: `random` where any text of that many bytes does, else what to put. */
export const VERCEL_VARIABLES: readonly { name: string; what: string; random?: number }[] = [
  { name: 'DATABASE_URL', what: 'the application’s role, through the pooler: postgresql://…' },
  { name: 'DATABASE_DIRECT_URL', what: 'the owner of the tables, straight to the server: postgresql://…' },
  { name: 'SERVICE_PUBLIC_URL', what: 'the https address of the service, without a path' },
  { name: 'SERVICE_SESSION_SECRET', what: 'signs sessions', random: 32 },
  { name: 'SERVICE_SEALING_SECRET', what: 'seals the secrets of webhooks', random: 32 },
  { name: 'CRON_SECRET', what: 'opens the scheduled jobs', random: 24 },
  { name: 'CALLBACK_SECRET', what: 'signs what a render runner says', random: 24 },
  { name: 'SERVICE_SMTP_URL', what: 'who sends the sign-in codes: smtps://user:password@host:465' },
  { name: 'SERVICE_MAIL_FROM', what: 'the sender: "Atelier <atelier@your.domain>"' },
  { name: 'BLOB_READ_WRITE_TOKEN', what: 'of a private Blob store, or the S3_* variables of .env.example' },
];

/** The page address of a git remote: `git@host:owner/name.git` and its like in https, without credentials; undefined for a folder. */
export function repositoryPage(remote: string): string | undefined {
  const match =
    /^(?:(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^/:]+)(?::\d+)?\/|[^@/:]+@([^/:]+):)(.+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    );
  return match ? `https://${match[1] ?? match[2]}/${match[3]}` : undefined;
}

/** Where Vercel makes a project from a copy of that public repository, and asks for the variables. Their values are never in an address. */
export function cloneAddress(repository: string): string {
  const address = new URL('https://vercel.com/new/clone');
  address.searchParams.set('repository-url', repository);
  address.searchParams.set('project-name', 'atelier');
  address.searchParams.set('repository-name', 'atelier');
  address.searchParams.set('env', VERCEL_VARIABLES.map(({ name }) => name).join(','));
  address.searchParams.set('envDescription', 'What each one is: docs/deploy.md');
  address.searchParams.set('envLink', `${repository}/blob/HEAD/docs/deploy.md`);
  return address.href;
}

/** The button as Markdown. */
export const buttonMarkdown = (repository: string) =>
  `[![Deploy on Vercel](${BUTTON_IMAGE})](${cloneAddress(repository)})`;

/** The variables as a `.env` to be pasted or imported: secrets made now, empty where only the operator knows. */
export function variablesBlock(): string {
  return VERCEL_VARIABLES.map(
    ({ name, what, random }) =>
      `# ${what}\n${name}=${random ? randomBytes(random).toString('base64url') : ''}`,
  ).join('\n');
}

/** The address of this clone's `origin`, as git keeps it. */
export function originOf(root = repositoryRoot): string | undefined {
  const config = (() => {
    try {
      return readFileSync(path.join(root, '.git/config'), 'utf8');
    } catch {
      return '';
    }
  })();
  return /\[remote "origin"\][^[]*?^\s*url\s*=\s*(.+)$/m.exec(config)?.[1]?.trim();
}
