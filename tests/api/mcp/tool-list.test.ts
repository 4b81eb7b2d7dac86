import { describe, expect, test } from 'vitest';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { modern, speak } from '#tests/setup/mcp.ts';
import { setting, used } from './setting.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

describe('the list of tools', () => {
  test('has French titles and descriptions, closed schemas both ways, and honest annotations', async () => {
    const { token } = await setting(service);
    const { json } = await speak(modern('tools/list'), { token });
    const { tools } = json.result;
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual([
      'brain_list_spaces',
      'brain_get_context',
      'brain_search',
      'brain_get_memory',
      'search',
      'fetch',
      'brain_quota',
      'brain_add_memory',
      'brain_propose_memory',
    ]);
    for (const tool of tools) {
      expect(tool.title).toMatch(/^[A-ZÉ]/);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      // What connectors expect has no name for what it is.
      if (!['search', 'fetch'].includes(tool.name))
        expect(tool.outputSchema.properties.object).toMatchObject({ const: expect.any(String) });
      expect(tool.outputSchema.type).toBe('object');
      expect(tool.annotations).toMatchObject({
        title: tool.title,
        readOnlyHint: !['brain_add_memory', 'brain_propose_memory'].includes(tool.name),
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      // Spellings that some model providers cannot read (what `inspector --strict` warns about).
      for (const foreign of ['override', '"type":[', '$ref', '$defs', '9007199254740991'])
        expect(JSON.stringify(tool)).not.toContain(foreign);
    }
    const add = tools.at(-2).inputSchema;
    expect(add.required).toEqual(['pillar', 'title', 'body', 'spaceId']);
    expect(add.properties.pillar).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['IDENTITY', 'PEOPLE']),
    });
    expect(json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    // Those of the Studio are listed where it is set up (studio.test.ts).
    expect(TOOLS).toHaveLength(tools.length + 3);
  });

  test('both eras greet: initialize for 2025-11-25, server/discover for 2026-07-28; neither costs a read', async () => {
    const place = await setting(service);
    const hello = await speak(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'tests', version: '1' },
        },
      } as never,
      { token: place.token },
    );
    expect(hello.json.result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'atelier' },
      instructions: expect.stringContaining('brain_list_spaces'),
    });
    const discover = await speak(modern('server/discover'), { token: place.token });
    expect(discover.json.result).toMatchObject({ supportedVersions: expect.arrayContaining(['2026-07-28']) });
    expect(await used(service, place)).toBe(0);
  });
});
