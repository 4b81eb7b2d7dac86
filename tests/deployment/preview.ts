import { until } from '#tests/setup/until.ts';
import { stopProcess, wordsOf } from './child.ts';
import { type Deployment, PUBLIC_URL } from './deployment.ts';
import { startInstance } from './instances/instance.ts';
import { prepareService } from './service.ts';

type Row = { id: string; status: string; message: string | null; files: { url: string }[] };

/**
 * A preview on recorded answers, where Node itself refuses every program, every write and every read outside of the tree: each kind is
 * asked for, made, kept and read back.
 */
export async function runPreview(on: Deployment): Promise<void> {
  const service = await prepareService(on, 'preview', { SERVICE_ENV: 'preview' });
  const { tree, cookie } = service;
  service.admin('ledger', 'grant', '50');
  const server = await startInstance(on, service, [
    '--permission',
    `--allow-fs-read=${tree}`,
    '--allow-addons',
  ]);
  const baseUrl = server.url;

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
      if (seen.status === 'running') throw new Error('its row says « running »');
      return seen;
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
    await make(name, body()).catch((error: unknown) => void faults.push(wordsOf(error)));
  faults.push(...server.errors().slice(0, 5));
  on.steps.push({
    what: `a preview on recorded answers makes ${[...made.keys()].join(', ')} without a program, a writable disk or a file outside of the tree`,
    ...(faults.length ? { fault: faults.join('\n    ') } : {}),
  });
  await stopProcess(server.child, 'SIGTERM');
}
