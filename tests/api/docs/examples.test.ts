import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { OPERATION_EXAMPLES } from '#app/_docs/examples/all.ts';
import { WEBHOOK_BY_HAND, WEBHOOK_HANDLER } from '#app/_docs/examples/events.ts';
import { GUIDE_EXAMPLES } from '#app/_docs/examples/guides.ts';
import { PROMPT_EXAMPLES, RESOURCE_EXAMPLES, TOOL_EXAMPLES } from '#app/_docs/examples/tools.ts';
import type { GuideExample, ToolExample } from '#app/_docs/examples/types.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import { bodyOf } from '#lib/webhooks/delivery/send.ts';
import { newWebhookSecret } from '#lib/webhooks/secrets.ts';
import { runCurl } from '#tests/setup/docs/curl.ts';
import { compilePrograms, type Programs } from '#tests/setup/docs/programs.ts';
import { serveRoutes } from '#tests/setup/docs/serve-routes.ts';
import { readMessage } from '#tests/setup/mcp.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';
import { useStudioApi } from '#tests/setup/studio-api.ts';
import { AtelierClient } from '../../../packages/client/src/index.ts';
import { DOCUMENTS, operationIdsOf } from './documents.ts';
import { type Reader, readerOf } from './reader.ts';

// Mails leave once the answer has left: Next's own, outside of a request here.
vi.mock('next/server', async (original) => ({ ...(await original<object>()), after: () => undefined }));

const service = useStudioApi();
const blob = useBlobStore();
const operationIds = DOCUMENTS.flatMap(operationIdsOf);
const guides: Readonly<Record<string, GuideExample>> = GUIDE_EXAMPLES;
const tools: Readonly<Record<string, ToolExample>> = TOOL_EXAMPLES;

let app: Awaited<ReturnType<typeof serveRoutes>>;
let reader: Reader;
let programs: Programs;
let folder = '';
const sources = path.join(repositoryRoot, `.tmp/docs-examples-${process.pid}`);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'docs-'));
  app = await serveRoutes();
  reader = await readerOf(service, blob, app.url);
  await writeFile(path.join(folder, 'photo.png'), reader.photo);
  for (const [name, value] of Object.entries(reader.shell)) vi.stubEnv(name, value);
  programs = await compilePrograms(sources, OPERATION_EXAMPLES, {
    ...guides,
    webhook: { typescript: WEBHOOK_HANDLER },
    'webhook-by-hand': { typescript: WEBHOOK_BY_HAND },
    ...readmePrograms(),
  });
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.close();
  for (const place of [folder, sources]) await rm(place, { recursive: true, force: true });
});

/** The programs of the client’s README, compiled with those of the documentation: one that goes on from block to block, and the handler, with what it supposes. */
function readmePrograms() {
  const text = readFileSync(path.join(repositoryRoot, 'packages/client/README.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const handler = blocks.pop() ?? '';
  if (blocks.length < 3 || !handler.includes('verifyWebhook'))
    throw new Error('the README has other programs');
  const supposed =
    'declare function remember(id: string | null): Promise<boolean>;\n' +
    'declare function refresh(spaceId: string, memoryId: string): Promise<void>;\n';
  return {
    readme: { typescript: blocks.join('\n') },
    'readme-handler': { typescript: supposed + handler },
  };
}

/** What was answered while `work` ran; an answer that its route does not declare fails here. */
async function answersOf(work: () => Promise<unknown>) {
  const from = app.answers.length;
  await work();
  const answers = app.answers.slice(from);
  expect(answers.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  return answers;
}
const shell = (script: string) => runCurl(script, { values: reader.shell, folder });
const succeeded = (id: string) =>
  expect.objectContaining({ operationId: id, status: expect.toSatisfy(isSuccess) });
const isSuccess = (status: number) => status >= 200 && status < 300;

test('every operation of both documents has an example, and every example is of one', () => {
  const missing = operationIds.filter((id) => !(id in OPERATION_EXAMPLES));
  expect(
    missing,
    'Add an example to a file of app/_docs/examples (one per domain; all.ts joins them).',
  ).toEqual([]);
  expect(Object.keys(OPERATION_EXAMPLES).filter((id) => !operationIds.includes(id))).toEqual([]);
});

test('every tool of an assistant has an example, and its twin is an operation', () => {
  const names = TOOLS.map(({ name }) => name);
  const missing = names.filter((name) => !(name in tools));
  expect(missing, 'Add an example to app/_docs/examples/tools.ts.').toEqual([]);
  expect(Object.keys(tools).filter((name) => !names.includes(name))).toEqual([]);
  const twins = Object.values(tools).flatMap(({ twin }) => twin ?? []);
  expect(twins.length).toBeGreaterThan(5);
  expect(twins.filter((twin) => !operationIds.includes(twin))).toEqual([]);
});

test.each(Object.entries(OPERATION_EXAMPLES))(
  'the curl example of %s is answered as declared',
  async (id, example) => {
    const answers = await answersOf(() => shell(example.curl));
    expect(answers).toEqual([succeeded(id)]);
  },
);

test.each(Object.keys(OPERATION_EXAMPLES))(
  'the TypeScript example of %s is answered as declared',
  async (id) => {
    const atelier = new AtelierClient({
      baseUrl: app.url,
      apiKey: reader.shell.ATELIER_KEY,
      sessionCookie: reader.shell.ATELIER_SESSION,
      retries: 0,
    });
    const answers = await answersOf(() => programs.operation(id, atelier, reader.values));
    expect(answers).toContainEqual(succeeded(id));
  },
);

const commands = Object.entries(guides).flatMap(([id, { curl, status }]) =>
  curl ? [{ id, curl, expected: status }] : [],
);
const written = Object.keys(guides).filter((id) => guides[id]?.typescript);

test('every step of the guides is a command, a program or both', () => {
  expect(new Set([...commands.map(({ id }) => id), ...written])).toEqual(new Set(Object.keys(guides)));
});

test.each(commands)('the step $id of the guides runs, as a command', async ({ curl, expected }) => {
  reader.shell.ETAG = await reader.etag();
  const answers = await answersOf(() => shell(curl));
  expect(answers.at(-1)?.status).toSatisfy((status: number) =>
    expected ? status === expected : isSuccess(status),
  );
});

test.each(written)('the step %s of the guides runs, as a program', async (id) => {
  expect(await answersOf(() => programs.guide(id))).not.toEqual([]);
});

/** The official client, signed in by key. */
async function assistant(): Promise<Client> {
  const client = new Client({ name: 'documentation', version: '1' });
  const headers = { authorization: `Bearer ${reader.shell.ATELIER_KEY}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${app.url}/api/mcp`), { requestInit: { headers } }),
  );
  return client;
}

/** A value with the reader's own identifiers in it. */
function filled<T>(value: T): T {
  const words = JSON.stringify(value).replace(/\$(\w+)/g, (whole, key: string) => reader.shell[key] ?? whole);
  return JSON.parse(words) as T;
}

test('every tool example is called by the official client and answers what the tool declares', async () => {
  const client = await assistant();
  // Once it knows the tools, the client itself refuses an answer that is not what its tool announced.
  await client.listTools();
  for (const [name, example] of Object.entries(tools)) {
    const answer = await client.callTool({ name, arguments: filled(example.arguments) });
    expect(answer.isError ?? false, `${name}: ${JSON.stringify(answer.content)}`).toBe(false);
    const { output } = TOOLS.find((tool) => tool.name === name) ?? {};
    expect(output?.safeParse(answer.structuredContent), name).toMatchObject({ success: true });
  }
  await client.close();
});

test('a program without an MCP library calls a tool in one request, and reads what it gives in result.structuredContent', async () => {
  const [answer] = await shell(GUIDE_EXAMPLES.mcpCall.curl);
  const { json } = readMessage((await answer?.text()) ?? '');
  expect(json.result.isError ?? false).toBe(false);
  const { output } = TOOLS.find(({ name }) => name === 'brain_search') ?? {};
  expect(output?.safeParse(json.result.structuredContent)).toMatchObject({ success: true });
});

test('every resource and prompt that the server announces is told in its words, and its example is answered', async () => {
  const client = await assistant();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ name }) => name).sort()).toEqual(Object.keys(RESOURCE_EXAMPLES).sort());
  for (const uri of Object.values(filled(RESOURCE_EXAMPLES)))
    expect((await client.readResource({ uri })).contents, uri).toHaveLength(1);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name).sort()).toEqual(Object.keys(PROMPT_EXAMPLES).sort());
  for (const { name, title, description } of prompts) {
    const told = PROMPT_EXAMPLES[name];
    expect({ title, description }).toEqual({ title: told?.title, description: told?.description });
    const { messages } = await client.getPrompt({ name, arguments: filled(told?.arguments ?? {}) });
    expect(messages.length, name).toBeGreaterThan(1);
  }
  await client.close();
});

test('the handler of events takes what is signed with its secret, and nothing else', async () => {
  const secret = newWebhookSecret();
  vi.stubEnv('ATELIER_WEBHOOK_SECRET', secret);
  const { POST } = (await programs.guide('webhook')) as { POST(request: Request): Promise<Response> };
  const data = { generationId: 'gen_1', kind: 'image', status: 'completed', code: null };
  const body = bodyOf({ type: 'generation.closed', at: new Date(), data });
  const post = (headers: Record<string, string>) =>
    POST(new Request('https://abonne.example', { method: 'POST', headers, body }));
  const signed = (by: string) => signCallback(body, { id: 'evt_1', secret: by, sentAt: new Date() });
  expect((await post(signed(secret))).status).toBe(204);
  const refused = await post(signed(newWebhookSecret()));
  expect([refused.status, await refused.text()]).toEqual([401, 'signature']);
});

test('the verification without the client takes either of two secrets, and no other, later or changed posting', async () => {
  const { isSigned } = (await programs.guide('webhook-by-hand')) as {
    isSigned(body: string, headers: Headers, secret: string): boolean;
  };
  const [secret, former] = [newWebhookSecret(), newWebhookSecret()];
  const body = bodyOf({ type: 'webhook.test', at: new Date(), data: { endpointId: 'whe_é' } });
  const signed = (by: string, sentAt = new Date()) =>
    new Headers(signCallback(body, { id: 'evt_1', secret: by, sentAt }));
  const headers = signed(secret);
  const both = [signed(former), headers].map((one) => one.get('webhook-signature'));
  headers.set('webhook-signature', both.join(' '));
  for (const one of [secret, former]) expect(isSigned(body, headers, one)).toBe(true);
  expect(isSigned(body, headers, newWebhookSecret())).toBe(false);
  expect(isSigned(`${body} `, headers, secret)).toBe(false);
  expect(isSigned(body, signed(secret, new Date(Date.now() - 301_000)), secret)).toBe(false);
  expect(isSigned(body, new Headers(), secret)).toBe(false);
});

test('the commands are read as a shell reads them, and what is not understood is refused', async () => {
  const { commandsOf } = await import('#tests/setup/docs/curl.ts');
  const values = { URL: 'http://x', A: 'a b' };
  expect(commandsOf(`curl "$URL/a?b=c" \\\n  -d '{"k": "$A"}' -H "K: \\"$A\\""\ncurl x`, values)).toEqual([
    ['curl', 'http://x/a?b=c', '-d', '{"k": "$A"}', '-H', 'K: "a b"'],
    ['curl', 'x'],
  ]);
  expect(() => commandsOf('curl $B', values)).toThrow('$B');
  expect(() => commandsOf('curl x | jq', values)).toThrow('« | »');
  await expect(shell('curl "$ATELIER_URL/" --insecure')).rejects.toThrow('--insecure');
  await expect(shell('wget "$ATELIER_URL/"')).rejects.toThrow('not curl');
});
