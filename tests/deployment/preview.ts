import { spawn } from 'node:child_process';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import { stopProcess, UNPRIVILEGED } from './debian.ts';
import { type Deployment, inTree, lastWords, PUBLIC_URL, serviceEnv } from './parts.ts';

type Row = { id: string; status: string; message: string | null; files: { url: string }[] };

/**
 * A preview on recorded answers, where Node itself refuses every program, every write and every read outside of the tree: each kind is
 * asked for, made, kept and read back.
 */
export async function runPreview(on: Deployment): Promise<void> {
  const tree = on.tree();
  const database = await on.createDatabase('preview');
  const store = await on.store();
  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 4_000));
  const env: Record<string, string> = {
    ...serviceEnv({ databaseUrl: database.url, port }),
    ...store.env,
    SERVICE_ENV: 'preview',
  };
  inTree(tree, { ...env, DATABASE_DIRECT_URL: database.directUrl }, ['scripts/migrate.ts']);
  const admin = (...args: string[]) => inTree(tree, env, ['scripts/admin.ts', ...args, '--json']);
  admin('account', 'create', 'Essai', '--email', 'essai@atelier.example', '--operator');
  admin('ledger', 'grant', '50');
  const { cookie = '' } = JSON.parse(admin('session', 'create')) as { cookie?: string };

  const server = spawn(
    process.execPath,
    ['--permission', `--allow-fs-read=${tree}`, '--allow-addons', 'server.js'],
    {
      ...UNPRIVILEGED,
      cwd: tree,
      env: env as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  on.stops.push(() => stopProcess(server, 'SIGKILL'));
  const said = lastWords(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const ready = await until('the preview to answer', async () => {
    if (server.exitCode !== null) return 'ended';
    return (await fetch(`${baseUrl}/api/ready`)).status === 200 ? 'ready' : undefined;
  });
  if (ready === 'ended') throw new Error(`the preview ended: ${said()}`);

  const call = (path: string, body?: object) =>
    fetch(baseUrl + path, {
      headers: {
        cookie,
        origin: PUBLIC_URL,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
  const made = new Map<string, Row>();
  const make = async (name: string, body: object) => {
    const answer = await call('/api/generations', body);
    let row = (await answer.json()) as Row;
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${JSON.stringify(row)}`);
    row = await until(`${name} to end`, async () => {
      const seen = (await (await call(`/api/generations/${row.id}`)).json()) as Row;
      return seen.status === 'running' ? undefined : seen;
    });
    if (row.status !== 'done') throw new Error(`${name}: ${row.status}, ${row.message}`);
    const file = await call(new URL(row.files[0]?.url ?? '', baseUrl).pathname);
    if (file.status !== 200 || (await file.arrayBuffer()).byteLength === 0)
      throw new Error(`${name}: its file answers ${file.status}`);
    made.set(name, row);
  };
  const fileOf = (name: string) => ({ generationId: made.get(name)?.id ?? '', file: 0 });
  const kinds: [string, () => object][] = [
    ['image', () => ({ kind: 'image', brief: 'Une bougie sur une table en chêne' })],
    ['vector', () => ({ kind: 'vector', brief: 'Une flamme' })],
    ['voice', () => ({ kind: 'voice', text: 'Nos bougies sont coulées à la main, une par une.' })],
    ['video', () => ({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 })],
    [
      'lipsync of a picture',
      () => ({ kind: 'lipsync', voiceGenerationId: made.get('voice')?.id, character: fileOf('image') }),
    ],
    [
      'lipsync of a clip',
      () => ({ kind: 'lipsync', voiceGenerationId: made.get('voice')?.id, clip: fileOf('video') }),
    ],
  ];
  const faults: string[] = [];
  for (const [name, body] of kinds)
    await make(name, body()).catch((error: unknown) => void faults.push(String(error)));
  const refused = said()
    .split('\n')
    .filter((line) => /ERR_ACCESS_DENIED|EROFS|"level":"error"/.test(line));
  faults.push(...refused.slice(0, 5));
  on.steps.push({
    what: `a preview on recorded answers makes ${[...made.keys()].join(', ')} without a program, a writable disk or a file outside of the tree`,
    ...(faults.length ? { fault: faults.join('\n    ') } : {}),
  });
  await stopProcess(server, 'SIGTERM');
}
