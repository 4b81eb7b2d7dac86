import { publicUrlOf } from '#lib/core/env.ts';
import { dataFolder } from '../paths.ts';
import { generateClient } from '../prisma/client.ts';
import { parentOf } from '../processes.ts';
import { ensureDemonstration } from '../services/ensure-demonstration.ts';
import { openServices } from '../services/open-services.ts';
import { writeRunningServer } from '../state.ts';
import { ensureBuild, invalidateBuild } from './build.ts';
import { choosePort } from './choose-port.ts';
import { startScheduler } from './scheduler.ts';
import { PortTaken, type Served, ServedFaulty, serve } from './serve.ts';
import { StartFault, startOnce } from './start-once.ts';
import { demoCookie, welcome } from './welcome.ts';

/** A port that is taken between its choice and the start is another clone’s: so many of them in a row are another fault. */
const MAX_PORTS = 5;

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
  const envOn = (at: number) => ({
    ...process.env,
    VERCEL_BLOB_CALLBACK_URL: `http://127.0.0.1:${at}`,
    ...services.env,
  });
  const demo = await ensureDemonstration(services);
  if (mode === 'start') await ensureBuild(envOn(port), say);
  const served = await serveWhereFree({ mode, port, envOn, say }).catch(async (error) => {
    if (!(error instanceof ServedFaulty)) throw error;
    if (mode === 'start' && !(error instanceof PortTaken)) await invalidateBuild();
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

/** Serves on this port; on another where somebody took it since it was chosen, which may be a build ago, unless PORT names it. */
async function serveWhereFree(input: {
  mode: 'start' | 'dev';
  port: number;
  envOn: (port: number) => NodeJS.ProcessEnv;
  say: (line: string) => void;
}): Promise<Served> {
  const { mode, envOn, say } = input;
  let { port } = input;
  for (let tried = 1; ; tried += 1)
    try {
      return await serve({ mode, port, env: envOn(port) });
    } catch (error) {
      if (!(error instanceof PortTaken) || tried === MAX_PORTS) throw error;
      port = await choosePort(say);
    }
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
