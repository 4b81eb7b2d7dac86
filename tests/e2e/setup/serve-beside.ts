import { openBlobServer } from '#lib/local/blob/server.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { nextFreePort, PortTaken, type Served, serve } from '#lib/local/serving/serve.ts';
import { cleanEnv, type ServedApp } from './serve.ts';

/** A port that is taken between its choice and the start is another process’s: so many of them in a row are another fault. */
const MAX_PORTS = 5;

/**
 * Serves on a free port below those that Linux gives to outgoing connections; on another where somebody took it since it was chosen, which is
 * seconds ago on a busy machine.
 */
async function serveWhereFree(env: NodeJS.ProcessEnv): Promise<Served> {
  for (let tried = 1; ; tried += 1)
    try {
      const port = await nextFreePort(20_000 + Math.floor(Math.random() * 12_000));
      return await serve({ mode: 'start', port, env, quiet: true });
    } catch (error) {
      if (!(error instanceof PortTaken) || tried === MAX_PORTS) throw error;
    }
}

/** Starts another instance of the served app, on the same database and files, with other settings (such as a public address). */
export async function serveBeside(
  app: ServedApp,
  settings: Record<string, string>,
): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const postgres = await openPostgres({ dataDir: app.dataDir });
  const files = await openBlobServer({ dataDir: app.dataDir });
  const close = async () => {
    await files.close();
    await postgres.release();
  };
  try {
    const served = await serveWhereFree({
      ...cleanEnv(),
      SERVICE_DATA_DIR: app.dataDir,
      SERVICE_BUILD_DIR: '.tmp/next',
      SERVICE_ENV: 'development',
      ATELIER_TEST_RUN: '1',
      DATABASE_URL: postgres.appUrl,
      ...(await localSecrets(app.dataDir)),
      ...files.env,
      ...settings,
    });
    return {
      baseUrl: served.url,
      async stop() {
        await served.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
