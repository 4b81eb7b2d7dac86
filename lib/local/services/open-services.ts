import { mkdir } from 'node:fs/promises';
import { routeBlobHosts } from '../blob/route-hosts.ts';
import { openBlobServer } from '../blob/server.ts';
import { dataFolder } from '../paths.ts';
import { openPostgres } from '../postgres/server.ts';
import { configuredAddresses, migrateDatabase } from '../prisma/migrate.ts';
import { localSecrets } from '../secrets.ts';

export type LocalServices = {
  dataDir: string;
  /** What the service must find in its environment, beside what is set already. */
  env: Record<string, string>;
  /** The owner's address, for commands that measure or prepare; the service signs in as `env.DATABASE_URL`. */
  databaseUrl: string;
  /** Which of the two stands in for the cloud; false where the real service was configured. */
  embedded: { database: boolean; files: boolean };
  /** Worth a line to whoever started it. */
  notes: string[];
  close(): Promise<void>;
};

/**
 * Everything the service stands on, on this machine: the database and the file store that the environment names, else the
 * embedded ones of the data folder; migrations applied; in development, secrets made where none are set.
 */
export async function openServices(
  options: { files?: boolean; blobPort?: number } = {},
): Promise<LocalServices> {
  const dataDir = dataFolder();
  await mkdir(dataDir, { recursive: true });
  const env: Record<string, string> = { SERVICE_DATA_DIR: dataDir };
  const notes: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const given = configuredAddresses();
    const postgres = given ? undefined : await openPostgres({ dataDir });
    if (postgres) {
      closers.push(postgres.release);
      if (postgres.outsideClone)
        notes.push(
          `La base est dans ${postgres.folder}\u00a0: PostgreSQL ne peut pas entrer dans ${dataDir}.`,
        );
    }
    const { url = '', ownerUrl = '' } = given ?? { url: postgres?.appUrl, ownerUrl: postgres?.url };
    env.DATABASE_URL = url;
    env.SERVICE_ENV = serviceEnvOnThisMachine();
    if (env.SERVICE_ENV === 'development') Object.assign(env, await developmentSecrets(dataDir));
    const applied = await migrateDatabase({ url, ownerUrl });
    if (applied.length > 0) notes.push(`Migrations appliquées\u00a0: ${applied.length}.`);
    const isGiven = Boolean(process.env.BLOB_READ_WRITE_TOKEN?.trim() || process.env.S3_BUCKET?.trim());
    const needsFiles = (options.files ?? true) && !isGiven;
    if (needsFiles) {
      const files = await openBlobServer({
        dataDir,
        ...(options.blobPort === undefined ? {} : { port: options.blobPort }),
      });
      closers.push(files.close);
      Object.assign(env, files.env);
    }
    const embedded = { database: postgres !== undefined, files: needsFiles };
    return { dataDir, env, databaseUrl: ownerUrl, embedded, notes, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where a command of this machine runs when nothing says so: in development on the embedded database, else in production. */
export function serviceEnvOnThisMachine(source: NodeJS.ProcessEnv = process.env): string {
  return (
    source.SERVICE_ENV || source.VERCEL_ENV || (source.DATABASE_URL?.trim() ? 'production' : 'development')
  );
}

/** The services for a command that runs in this process: its environment is set here, and put away at the end. */
export async function withServices<T>(
  work: (services: LocalServices) => Promise<T>,
  options: { files?: boolean } = {},
): Promise<T> {
  const services = await openServices(options);
  Object.assign(process.env, services.env);
  if (services.env.VERCEL_BLOB_API_URL) routeBlobHosts(services.env.VERCEL_BLOB_API_URL);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** What is configured wins over what this machine made. */
async function developmentSecrets(dataDir: string): Promise<Record<string, string>> {
  const local = await localSecrets(dataDir);
  return Object.fromEntries(
    Object.entries(local).map(([name, secret]) => [name, process.env[name]?.trim() || secret]),
  );
}
