import { setTimeout as wait } from 'node:timers/promises';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  completable,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

// What the conformance suite calls by name. None of it exists in the service: it stands behind the service's own handler in
// the test process only, to prove the handler.

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  ...Object.fromEntries([
    ['if', { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] }],
    ['then', { required: ['phone'] }],
    ['else', { required: ['email'] }],
  ]),
  additionalProperties: false,
};

/** Tools, resources and prompts of the suite's reference fixture that a stateless server can have. */
export function registerFixtures(server: McpServer): void {
  plainTools(server);
  talkingTools(server);
  askingTools(server);
  resources(server);
  prompts(server);
}

function plainTools(server: McpServer): void {
  const tool = (name: string, result: () => object) =>
    server.registerTool(name, { description: `Fixture ${name}` }, async () => result() as never);
  tool('test_simple_text', () => text('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }));
  const resource = (uri: string, mimeType: string, body: string) => ({
    type: 'resource',
    resource: { uri, mimeType, text: body },
  });
  tool('test_embedded_resource', () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  tool('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema(SCHEMA_2020_12 as never),
    },
    async () => text('ok'),
  );
  server.registerTool(
    'test_header_tool',
    {
      description: 'Mirrors an argument in a header',
      inputSchema: fromJsonSchema({
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      } as never),
    },
    async () => text('ok'),
  );
}

function talkingTools(server: McpServer): void {
  server.server.registerCapabilities({ logging: {} });
  server.registerTool('test_logging_tool', { description: 'Logs once' }, async (ctx: ServerContext) => {
    await ctx.mcpReq.log('info', 'Only for those who asked');
    return text('Logged');
  });
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs thrice' },
    async (ctx: ServerContext) => {
      await ctx.mcpReq.log('info', 'Tool execution started');
      await wait(50);
      await ctx.mcpReq.log('info', 'Tool processing data');
      await wait(50);
      await ctx.mcpReq.log('info', 'Tool execution completed');
      return text('Logged');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Progresses thrice' },
    async (ctx: ServerContext) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        await wait(50);
      }
      return text('Done');
    },
  );
}

const askFor = (message: string, name: string, type = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  } as never);

function askingTools(server: McpServer): void {
  const tool = (name: string, run: (ctx: ServerContext) => object) =>
    server.registerTool(
      name,
      { description: `Fixture ${name}` },
      async (ctx: ServerContext) => run(ctx) as never,
    );
  const answered = (ctx: ServerContext, key: string) =>
    acceptedContent<Record<string, string>>(ctx.mcpReq.inputResponses, key);
  const heard = (ctx: ServerContext, key: string) => inputResponse(ctx.mcpReq.inputResponses, key);
  const question = (content: string, maxTokens: number) =>
    inputRequired.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: content } }],
      maxTokens,
    });

  tool('test_input_required_result_elicitation', (ctx) => {
    const name = answered(ctx, 'user_name')?.name;
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } });
  });
  tool('test_input_required_result_sampling', (ctx) => {
    const answer = ctx.mcpReq.inputResponses?.capital_question;
    if (answer) return text(`Answer: ${JSON.stringify(heard(ctx, 'capital_question'))}`);
    return inputRequired({
      inputRequests: { capital_question: question('What is the capital of France?', 100) },
    });
  });
  tool('test_input_required_result_list_roots', (ctx) => {
    const roots = ctx.mcpReq.inputResponses?.client_roots;
    if (roots) return text(`Roots: ${JSON.stringify(roots)}`);
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  tool('test_input_required_result_request_state', (ctx) => {
    if (answered(ctx, 'confirm') && ctx.mcpReq.requestState() === 'confirm-1') return text('state-ok');
    return inputRequired({
      inputRequests: { confirm: askFor('Please confirm', 'ok', 'boolean') },
      requestState: 'confirm-1',
    });
  });
  tool('test_input_required_result_multiple_inputs', (ctx) => {
    const { user_name, greeting, client_roots } = ctx.mcpReq.inputResponses ?? {};
    if (user_name && greeting && client_roots) return text('All three arrived');
    return inputRequired({
      inputRequests: {
        user_name: askFor('What is your name?', 'name'),
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: 'three',
    });
  });
  tool('test_input_required_result_multi_round', (ctx) => {
    const state = ctx.mcpReq.requestState();
    if (state === 'round-2' && answered(ctx, 'step2')) return text('Both steps are done');
    if (state === 'round-1' && answered(ctx, 'step1'))
      return inputRequired({
        inputRequests: { step2: askFor('Step 2: What is your favorite color?', 'color') },
        requestState: 'round-2',
      });
    return inputRequired({
      inputRequests: { step1: askFor('Step 1: What is your name?', 'name') },
      requestState: 'round-1',
    });
  });
  tool('test_missing_capability', () =>
    inputRequired({ inputRequests: { capital_question: question('What is the capital of France?', 100) } }),
  );
  tool('test_streaming_elicitation', () =>
    inputRequired({ inputRequests: { user_name: askFor('What is your name?', 'name') } }),
  );
  tool('test_input_required_result_capabilities', (ctx) => {
    const declared =
      (ctx.mcpReq.envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    return inputRequired({
      inputRequests: {
        ...('elicitation' in declared ? { user_name: askFor('What is your name?', 'name') } : {}),
        ...('sampling' in declared ? { greeting: question('Generate a greeting', 50) } : {}),
      },
    });
  });
}

function resources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A static text', mimeType: 'text/plain' },
    async (uri) => ({
      contents: [
        { uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A static image', mimeType: 'image/png' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PIXEL }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'A template', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

function prompts(server: McpServer): void {
  const said = (content: object) => ({ role: 'user' as const, content: content as never });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, async () => ({
    messages: [said({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Two arguments',
      argsSchema: z.object({ arg1: completable(z.string(), (value) => [`${value}-1`]), arg2: z.string() }),
    },
    async ({ arg1, arg2 }) => ({
      messages: [said({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        said({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        said({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, async () => ({
    messages: [said(image), said({ type: 'text', text: 'Please analyze the image above.' })],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (async (
    ctx: ServerContext,
  ) => {
    const context = acceptedContent(ctx.mcpReq.inputResponses, 'user_context')?.context;
    if (context) return { messages: [said({ type: 'text', text: `Context: ${context}` })] };
    return inputRequired({
      inputRequests: { user_context: askFor('What context should the prompt use?', 'context') },
    });
  }) as never);
}
