import { openBlobServer } from '#lib/local/blob/server.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { nextFreePort, serve } from '#lib/local/serving/serve.ts';
import { cleanEnv, type ServedApp } from './serve.ts';

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
    const served = await serve({
      mode: 'start',
      port: await nextFreePort(20_000 + Math.floor(Math.random() * 20_000)),
      env: {
        ...cleanEnv(),
        SERVICE_DATA_DIR: app.dataDir,
        SERVICE_BUILD_DIR: '.tmp/next',
        SERVICE_ENV: 'development',
        ATELIER_TEST_RUN: '1',
        DATABASE_URL: postgres.appUrl,
        ...(await localSecrets(app.dataDir)),
        ...files.env,
        ...settings,
      },
      quiet: true,
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
