import { publicUrlOf } from '#lib/core/env.ts';
import { dataFolder } from '../paths.ts';
import { generateClient } from '../prisma/client.ts';
import { parentOf } from '../processes.ts';
import { ensureDemonstration } from '../services/ensure-demonstration.ts';
import { openServices } from '../services/open-services.ts';
import { writeRunningServer } from '../state.ts';
import { ensureBuild, invalidateBuild } from './build.ts';
import { startScheduler } from './scheduler.ts';
import { isPortFree, nextFreePort, type Served, ServedFaulty, serve } from './serve.ts';
import { StartFault, startOnce } from './start-once.ts';
import { demoCookie, welcome } from './welcome.ts';

const DEFAULT_PORT = 3000;

/** `npm start` and `npm run dev`, from nothing to the last line printed. Returns when asked to stop; nothing is left running. */
export async function run(mode: 'start' | 'dev'): Promise<number> {
  const stops: Stops = [];
  const stopAsked = whenAskedToStop();
  const say = (line: string) => console.log(line);
  try {
    return await Promise.race([stopAsked.then(() => 0), bringUp(mode, stops, say)]);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

type Stops = (() => Promise<void> | void)[];

async function bringUp(mode: 'start' | 'dev', stops: Stops, say: (line: string) => void): Promise<number> {
  const served = await startOnce(dataFolder(), say, () => begin(mode, stops, say));
  const code = await served.ended;
  throw new StartFault(`Le serveur s’est arrêté de lui-même (${code}).`);
}

async function begin(mode: 'start' | 'dev', stops: Stops, say: (line: string) => void): Promise<Served> {
  const port = await choosePort(say);
  const beganAt = performance.now();
  await generateClient();
  const services = await openServices();
  stops.push(services.close);
  for (const note of services.notes) say(note);
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, VERCEL_BLOB_CALLBACK_URL: url, ...services.env };
  const demo = await ensureDemonstration(services);
  if (mode === 'start') await ensureBuild(env, say);
  const served = await serve({ mode, port, env }).catch(async (error) => {
    if (!(error instanceof ServedFaulty)) throw error;
    if (mode === 'start') await invalidateBuild();
    throw new StartFault(`${error.message}\n\nAtelier n’est pas prêt. npm start reconstruira l’application.`);
  });
  stops.push(served.stop);
  await writeRunningServer(services.dataDir, served.url);
  if (services.env.CRON_SECRET) {
    const scheduler = startScheduler({ baseUrl: served.url, secret: services.env.CRON_SECRET, say });
    stops.push(scheduler.stop);
  }
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  const cookie =
    demo && (await demoCookie(demo, services.env.SERVICE_SESSION_SECRET, publicUrlOf(process.env)));
  const outboxToken = services.env.SERVICE_OUTBOX_TOKEN;
  for (const line of welcome({ url: served.url, demo, cookie, outboxToken, seconds })) say(line);
  return served;
}

async function choosePort(say: (line: string) => void): Promise<number> {
  const asked = process.env.PORT?.trim();
  if (!asked) {
    const port = await nextFreePort(DEFAULT_PORT);
    if (port !== DEFAULT_PORT) say(`Le port ${DEFAULT_PORT} est pris\u00a0: Atelier prend ${port}.`);
    return port;
  }
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartFault(`PORT doit être un nombre de 0 à 65535, pas «\u00a0${asked}\u00a0».`);
  if (port === 0) return nextFreePort(20_000 + Math.floor(Math.random() * 20_000));
  if (!(await isPortFree(port)))
    throw new StartFault(`Le port ${port} est pris. Libérez-le, ou donnez-en un autre dans PORT.`);
  return port;
}

/** Ctrl-C, a polite kill, a closed terminal, or the end of the npm that started us. A second Ctrl-C ends at once. */
function whenAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (asked && signal === 'SIGINT') process.exit(130);
        asked = true;
        resolve();
      });
    // npm starts us through a shell: when npm is killed, it is the shell that changes its parent.
    if (!process.env.npm_lifecycle_event) return;
    const [parent, grandparent] = [process.ppid, parentOf(process.ppid)];
    setInterval(() => {
      if (process.ppid !== parent || parentOf(parent) !== grandparent) resolve();
    }, 2000).unref();
  });
}
