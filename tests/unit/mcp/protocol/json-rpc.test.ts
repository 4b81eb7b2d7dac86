import { expect, test } from 'vitest';
import { withoutNulls } from '#lib/mcp/protocol/json-rpc.ts';

const message = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });

test('members of a message’s parameters that are null are left out, but those of a tool’s arguments', () => {
  expect(withoutNulls({ ...message('tools/list', null), id: null })).toEqual({
    jsonrpc: '2.0',
    id: null,
    method: 'tools/list',
  });
  const client = { name: 'x', version: '1' };
  const params = { capabilities: { roots: null }, clientInfo: { ...client, title: null }, _meta: null };
  expect(withoutNulls(message('initialize', params))).toEqual(
    message('initialize', { capabilities: {}, clientInfo: client }),
  );
  const prompt = { name: 'p', arguments: { space: 'x', subject: null } };
  expect(withoutNulls(message('prompts/get', prompt))).toEqual(
    message('prompts/get', { name: 'p', arguments: { space: 'x' } }),
  );
  const call = { name: 't', arguments: { q: null, of: { these: null } } };
  expect(withoutNulls(message('tools/call', { ...call, _meta: { progressToken: null } }))).toEqual(
    message('tools/call', { ...call, _meta: {} }),
  );
  expect(withoutNulls(message('tools/call', { name: 't', arguments: null }))).toEqual(
    message('tools/call', { name: 't' }),
  );
});

test('what is no message with parameters stays as it came', () => {
  for (const other of [null, 1, 'texte', [null], { id: 1, result: null }, message('x', [null])])
    expect(withoutNulls(other)).toEqual(other);
});
