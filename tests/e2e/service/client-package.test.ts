import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { startExport } from '#lib/storage/offboarding/exports.ts';
import { clientFolder, packClient } from '#tests/setup/sources/client-package.ts';
import { until } from '#tests/setup/until.ts';
import { sweepOver } from '../setup/caller.ts';
import { openFilesOf } from '../setup/scenes/files.ts';
import { failedAgo, IMAGE, RENDER } from '../setup/scenes/studio.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

type Client = typeof import('../../../packages/client/src/index.ts');

const run = promisify(execFile);
const studio = useStudio();
let folder = '';
let client: Client;

// The client as another project has it: packed, and installed into an empty folder outside the repository.
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-client-'));
  const tarball = await packClient(folder);
  await writeFile(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  const entry = path.join(folder, 'node_modules/@atelier/client/dist/index.js');
  client = (await import(pathToFileURL(entry).href)) as Client;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the packed client drives every operation of both documents', async () => {
  const founder = await studio.founder();
  const { app } = studio.browser;
  const { accountId, memberId } = founder.ctx.actor;
  const { secret } = await createKey(founder.ctx, {
    accountId,
    memberId,
    name: 'Client',
    scopes: ['brain:read', 'brain:write', 'projects:read', 'studio:read', 'studio:generate'],
    expiresInDays: 30,
    monthlyCapMicros: 5_000_000n,
  });
  const spaceId = await studio.scenes().space(founder, 'Maison Lumen');
  const driven = new Set<string>();
  const served = { ...app, cookie: `${founder.cookie.name}=${founder.cookie.value}` };
  const own = new client.AtelierClient({
    baseUrl: app.baseUrl,
    apiKey: async () => secret,
    sessionCookie: served.cookie,
  });
  /** Records that an operation was called, and returns its answer. */
  const drive = async <T>(id: string, answer: Promise<T>): Promise<T> => {
    const value = await answer;
    driven.add(id);
    return value;
  };

  // The Brain.
  const memory = { pillar: 'IDENTITY' as const, title: 'Promesse', body: 'Une lumière qui dure vingt ans.' };
  const added = await drive('addMemory', own.addMemory(spaceId, memory, { idempotencyKey: 'first-memory' }));
  const statuses: (string | null)[] = [];
  const again = await own.addMemory(spaceId, memory, {
    idempotencyKey: 'first-memory',
    onResponse: ({ headers }) => statuses.push(headers.get('idempotent-replayed')),
  });
  expect(again.id).toBe(added.id);
  expect(statuses).toEqual(['true']);
  expect((await drive('listSpaces', own.listSpaces())).data.map(({ id }) => id)).toEqual([spaceId]);
  const space = await drive('getSpace', own.getSpace(spaceId));
  const seen: number[] = [];
  expect(await own.getSpace(spaceId, { onResponse: ({ status }) => seen.push(status) })).toEqual(space);
  expect(seen).toEqual([304]);
  expect((await drive('getMemory', own.getMemory(added.id))).body).toBe(memory.body);
  const context = await drive('getContext', own.getContext(spaceId, { q: 'lumière', maxChars: 2_000 }));
  expect(JSON.stringify(context)).toContain('vingt ans');
  const found = await drive('search', own.search({ q: 'vingt ans', spaceId }));
  expect(JSON.stringify(found)).toContain(added.id);
  expect(await drive('getQuota', own.getQuota())).toMatchObject({ used: expect.any(Number) });
  await drive('listProjects', own.listProjects());
  const missing = await own.getMemory('mem_nowhere').catch((thrown: unknown) => thrown);
  expect(client.isAtelierError(missing, 'not_found')).toBe(true);
  expect(missing).toMatchObject({ status: 404, requestId: expect.any(String) });

  // The Studio.
  const desk = own.studio;
  const asked = { kind: 'image' as const, brief: IMAGE.brief };
  await drive('previewGeneration', desk.previewGeneration(IMAGE));
  const image = await drive(
    'createGeneration',
    desk.createGeneration(asked, { idempotencyKey: 'one-image' }),
  );
  expect(image).toMatchObject({ status: 'done', charge: 'settled' });
  const replayed = await desk.createGeneration(asked, { idempotencyKey: 'one-image' });
  expect(replayed.id).toBe(image.id);
  expect((await drive('getGeneration', desk.getGeneration(image.id))).id).toBe(image.id);
  const journal = await drive('listGenerations', desk.listGenerations({ limit: 10 }));
  expect(journal.generations.map(({ id }) => id)).toEqual([image.id]);
  const pathname = decodeURI(new URL(image.files[0]?.url ?? '', app.baseUrl).pathname).replace(
    '/api/files/',
    '',
  );
  const file = await drive('readFile', desk.readFile(pathname));
  const bytes = Buffer.from(await file.arrayBuffer());
  expect((await sharp(bytes).metadata()).width).toBeGreaterThan(100);
  const part = await desk.readFile(pathname, { range: 'bytes=0-9' });
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(0, 10));

  const render = await desk.createGeneration({ ...RENDER, kind: 'render' });
  const readings: string[] = [];
  const done = await desk.waitForGeneration(render.id, {
    intervalMs: 250,
    onProgress: ({ status }) => readings.push(status),
  });
  expect(done.status).toBe('done');
  expect(readings.at(-1)).toBe('done');
  const failedId = await failedAgo(founder, RENDER, 'orphaned', 5);
  const failed = await desk.waitForGeneration(failedId, { intervalMs: 250 });
  expect(failed).toMatchObject({ status: 'failed', canRelaunch: true });
  const relaunched = await drive('relaunchGeneration', desk.relaunchGeneration(failedId));
  expect((await desk.waitForGeneration(relaunched.id, { intervalMs: 250 })).status).toBe('done');
  const ids: string[] = [];
  for await (const { id } of desk.generations({ limit: 1 })) ids.push(id);
  expect(new Set(ids)).toEqual(new Set([image.id, render.id, failedId, relaunched.id]));

  const { voices } = await drive('readVoiceDesk', desk.readVoiceDesk());
  const voiceId = voices[0]?.id ?? '';
  expect(
    (await drive('readVoicePreview', desk.readVoicePreview(voiceId))).headers.get('content-type'),
  ).toContain('audio');
  const voice = await desk.createGeneration({ kind: 'voice', text: 'Bonjour à tous.', voiceId });
  expect(await drive('readCaptions', desk.readCaptions(voice.id, { format: 'vtt' }))).toMatch(/^WEBVTT/);
  expect(await drive('readWallet', desk.readWallet())).toMatchObject({ balanceUsd: expect.any(Number) });
  expect(await (await drive('exportStatement', desk.exportStatement())).text()).toContain(image.id);

  const upload = await drive(
    'uploadImage',
    desk.uploadImage(new Uint8Array(bytes), {
      contentType: file.headers.get('content-type') ?? '',
      productId: 'libre',
    }),
  );
  expect(JSON.stringify(upload)).toContain('libre');
  const ticket = {
    type: 'blob.generate-client-token' as const,
    payload: {
      pathname: `references/${accountId}/libre/clip.mp4`,
      clientPayload: '{"productId":"libre"}',
      multipart: false,
    },
  };
  await drive(
    'uploadReference',
    desk.uploadReference(ticket).catch((thrown: unknown) => {
      // This path is refused, but the app's own error shows that the operation reached it.
      expect(client.isAtelierError(thrown, 'invalid', 'invalid_request', 'forbidden')).toBe(true);
    }),
  );

  const { data: templates } = await drive('listTemplates', desk.listTemplates());
  expect(templates.map(({ id }) => id)).toContain(RENDER.template);
  const drawing = { fields: RENDER.fields, size: RENDER.size, productId: 'libre', page: 0 };
  const pngs = [
    await drive('drawTemplateExample', desk.drawTemplateExample(RENDER.template)),
    await drive('drawTemplatePreview', desk.drawTemplatePreview(RENDER.template, drawing)),
  ];
  for (const png of pngs)
    expect((await sharp(Buffer.from(await png.arrayBuffer())).metadata()).format).toBe('png');
  await drive(
    'checkTemplate',
    desk.checkTemplate(RENDER.template, { fields: RENDER.fields, productId: 'libre' }),
  );

  // The Studio, with a key only.
  const program = new client.AtelierClient({ baseUrl: app.baseUrl, apiKey: secret });
  const mine = await drive(
    'createStudioGeneration',
    program.generations.create({ ...asked, brief: 'Une lampe, par clé' }, { idempotencyKey: 'by-key' }),
  );
  expect((await program.generations.wait(mine.id)).status).toBe('done');
  const readMine = await drive('getStudioGeneration', program.generations.get(mine.id));
  expect(readMine).toMatchObject({ id: mine.id, charge: 'settled' });
  const paged: string[] = [];
  for await (const { id } of program.generations.iterate({ limit: 2 })) paged.push(id);
  expect(paged[0]).toBe(mine.id);
  expect((await drive('listStudioGenerations', program.generations.list({ limit: 1 }))).data).toHaveLength(1);
  const left = await drive('listFiles', program.files.list({ limit: 1 }));
  expect(left.data[0]?.generationId).toBe(mine.id);
  const fileId = left.data[0]?.id ?? '';
  const about = await drive('getFile', program.files.get(fileId));
  const downloaded = await drive('downloadFile', program.files.download(fileId));
  expect((await downloaded.arrayBuffer()).byteLength).toBe(about.bytes);
  expect(await drive('getWallet', program.getWallet())).toMatchObject({
    credentialCapUsd: 5,
    credentialUsedUsd: mine.costUsd,
  });
  // The cockpit's routes accept the key without a cookie.
  expect((await program.studio.getGeneration(mine.id)).id).toBe(mine.id);

  // The exports.
  const markdown = await drive('exportSpace', desk.exportSpace(spaceId, { format: 'markdown' }));
  expect(
    Buffer.from(await markdown.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  const audit = await drive('exportAudit', desk.exportAudit({ format: 'json' }));
  expect(await audit.text()).toContain('memory.added');
  const files = await openFilesOf(app, founder);
  const { exportId } = await startExport(files.scene.ctx as never);
  // The export is written by the scheduled job, a slice a pass: where a slice was held, the next pass goes on.
  const { CRON_SECRET } = await localSecrets(app.dataDir);
  await until(
    'the export to be whole',
    async () => {
      const ready = await founder.ctx.db.accountExport.count({ where: { id: exportId, state: 'READY' } });
      if (ready === 0) await sweepOver(app.baseUrl, CRON_SECRET);
      return ready > 0;
    },
    1_000,
  );
  const whole = await drive('readAccountExport', desk.readAccountExport(exportId, { range: 'bytes=0-1' }));
  expect(whole.status).toBe(206);
  expect(await whole.text()).toBe('PK');
  await files.close();

  const entry = path.join(folder, 'node_modules/@atelier/client/dist/generated/operations.js');
  const { OPERATIONS } = (await import(pathToFileURL(entry).href)) as { OPERATIONS: object };
  expect([...driven].sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test('a program of somebody else’s compiles against its types, and a wrong one does not', async () => {
  const program = (body: string) => `import { AtelierClient, isAtelierError } from '@atelier/client';
const atelier = new AtelierClient({ baseUrl: 'https://atelier.example', apiKey: 'key' });
${body}
`;
  await writeFile(
    path.join(folder, 'right.ts'),
    program(`const { context } = await atelier.getContext('s1', { q: 'lampe', maxChars: 4000 });
const length: number = context.length;
for await (const generation of atelier.studio.generations({ kind: 'image' })) if (generation.status === 'done') console.log(generation.id, length);
try { await atelier.listSpaces(); } catch (error) { if (isAtelierError(error, 'rate_limited')) console.log(error.retryAfterMs); }`),
  );
  await writeFile(
    path.join(folder, 'wrong.ts'),
    program(`await atelier.getContext('s1', { maxChar: 4000 });
await atelier.addMemory('s1', { pillar: 'NOWHERE', title: 'T', body: 'B' });`),
  );
  const tsc = path.join(clientFolder, 'node_modules/typescript/bin/tsc');
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['right.ts', 'wrong.ts'] }),
  );
  const complaints = await run(process.execPath, [tsc, '--pretty', 'false'], { cwd: folder }).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  );
  // An error begins a line with its file, or without one if it concerns the whole project; its further lines are indented.
  const elsewhere = complaints
    .split('\n')
    .filter((line) => /^\S/.test(line) && !line.startsWith('wrong.ts('));
  expect(elsewhere).toEqual([]);
  expect(complaints).toContain("'maxChar' does not exist");
  expect(complaints).toContain('"NOWHERE"');
});
