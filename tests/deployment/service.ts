import { type Deployment, inTree, serviceEnv } from './deployment.ts';

/** A database of its own on the common store, with one account in it that its founder is signed in to. */
export type Service = {
  tree: string;
  /** Of every server and command on them. */
  env: Record<string, string>;
  directUrl: string;
  /** What an admin command prints with `--json`. */
  admin(...args: string[]): Record<string, string>;
  cookie: string;
};

/** Migrates a database by its owner and makes the account by the commands of the tree; `more` is added to the environment. */
export async function prepareService(
  on: Deployment,
  name: string,
  more: Record<string, string> = {},
): Promise<Service> {
  const tree = on.tree();
  const database = await on.createDatabase(name);
  const store = await on.store();
  const env = { ...serviceEnv({ databaseUrl: database.url }), ...store.env, ...more };
  inTree(tree, { ...env, DATABASE_DIRECT_URL: database.directUrl }, ['scripts/migrate.ts']);
  const admin = (...args: string[]) =>
    JSON.parse(inTree(tree, env, ['scripts/admin.ts', ...args, '--json'])) as Record<string, string>;
  const email = ['--email', 'essai@atelier.example'];
  admin('account', 'create', 'Essai', ...email, '--operator', '--capacity', '100000');
  const { cookie = '' } = admin('session', 'create');
  return { tree, env, directUrl: database.directUrl, admin, cookie };
}
