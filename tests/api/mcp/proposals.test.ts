import { describe, expect, test } from 'vitest';
import { refuseProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { callTool } from '#tests/setup/mcp.ts';

process.env.SERVICE_PUBLIC_URL = ORIGIN;
const service = useApi();

describe.each(['modern', 'legacy'] as const)('proposals, %s era', (era) => {
  test('an assistant proposes under its own scope alone, and reads why the same was refused', async () => {
    const { account, member } = await makeAccount(service);
    const space = await makeSpace(service, account.id);
    const reader = await makeMember(service, account.id, { role: 'MEMBER', permissions: [] });
    const args = { spaceId: space.id, pillar: 'GUIDELINES', title: 'Ton', body: 'Nous vouvoyons.' };
    for (const scopes of [['brain:read'], ['brain:write']] as const) {
      const { tokens } = await makeTokens(service, reader, { scopes: [...scopes] });
      const refused = await callTool('brain_propose_memory', args, { token: tokens.access_token, era });
      expect(refused.status).toBe(403);
      // Clients of before 2026 ask for what the challenge names in place of what they were given.
      const named = era === 'modern' ? 'brain:propose' : [...scopes, 'brain:propose'].join(' ');
      expect(refused.headers.get('www-authenticate')).toContain(`scope="${named}"`);
    }
    const { tokens } = await makeTokens(service, reader, { scopes: ['brain:propose'] });
    const token = tokens.access_token;
    const { result } = await callTool('brain_propose_memory', args, { token, era });
    expect(result.structuredContent).toMatchObject({
      object: 'proposal',
      state: 'waiting',
      spaceId: space.id,
      memoryId: null,
      message: expect.stringContaining('attend qu’un membre'),
    });
    expect(await service.db.memory.count({ where: { spaceId: space.id } })).toBe(0);
    const { id } = result.structuredContent;
    // Past midnight in Paris, where the members live, while it is the day before in UTC.
    const expiresAt = '2100-06-30T22:30:00.000Z';
    await service.db.memoryProposal.update({ where: { id }, data: { expiresAt } });
    const waiting = await callTool('brain_propose_memory', args, { token, era });
    expect(waiting.result.structuredContent).toMatchObject({ id, state: 'waiting', expiresAt });
    expect(waiting.result.structuredContent.message).toMatch(
      /jusqu’au 1er juillet 2100 à 00:30, heure de Paris\./,
    );
    await refuseProposal(testContext(service, memberActor(member)), { proposalId: id, reason: 'Déjà dit.' });
    const again = await callTool('brain_propose_memory', args, { token, era });
    expect(again.result.structuredContent).toMatchObject({ id, state: 'refused', reason: 'Déjà dit.' });
    for (const bad of [
      { ...args, memoryId: 'mem_x' },
      { title: 'T', body: 'B' },
      { memoryId: 'mem_inconnue', title: 'T', body: 'B' },
      { ...args, note: 'a'.repeat(501) },
      { ...args, body: '\u0000' },
    ]) {
      const answer = await callTool('brain_propose_memory', bad, { token, era });
      expect(answer.result).toMatchObject({
        isError: true,
        _meta: {
          'atelier/error': { code: expect.stringMatching(/^(invalid_request|not_found)$/), retryable: false },
        },
      });
    }
    const refusal = async (body: Record<string, unknown>) => {
      const { result } = await callTool('brain_propose_memory', body, { token, era });
      return result._meta['atelier/error'];
    };
    // Of a change, the Memory says the place; and what could never be written is not proposed.
    const { title, body } = args;
    expect(await refusal({ memoryId: 'mem_x', pillar: 'ITEMS', title, body })).toMatchObject({
      code: 'invalid_request',
      problems: [{ field: 'memoryId' }],
    });
    expect(await refusal({ ...args, body: 'x'.repeat(131_072) })).toMatchObject({
      code: 'payload_too_large',
      retryable: false,
    });
    await service.db.account.update({ where: { id: account.id }, data: { closedAt: new Date() } });
    const closed = await callTool('brain_propose_memory', { ...args, title: 'Trop tard' }, { token, era });
    expect(closed).toMatchObject({ status: 403, json: { error: { data: { code: 'account_closed' } } } });
    expect(await service.db.memoryProposal.count({ where: { accountId: account.id } })).toBe(1);
  });
});
