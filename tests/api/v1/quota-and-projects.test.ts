import { describe, expect, test } from 'vitest';
import { GET as getProjects } from '#app/api/v1/projects/route.ts';
import { projectListSchema, quotaSchema } from '#lib/brain/schemas/account.ts';
import { createId } from '#lib/core/ids.ts';
import { makeKey } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

describe('GET /quota and GET /projects', () => {
  test('the quota counts successful reads, costs nothing itself, and turns with the UTC month', async () => {
    const place = await setting(service, { capacityCu: 10 });
    await read.spaces(place);
    await read.quota(place);
    await read.projects(place);
    const { status, json } = await read.quota(place);
    expect(status).toBe(200);
    expect(quotaSchema.parse(json)).toEqual(json);
    const now = new Date();
    expect(json).toEqual({
      object: 'quota',
      limit: 100,
      used: 1,
      remaining: 99,
      resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
      activated: true,
    });
    // What was read in another month is none of this one's.
    const { id: accountId } = place.account;
    await service.db.readMonth.updateMany({ where: { accountId }, data: { month: '2020-01' } });
    expect((await read.quota(place)).json).toMatchObject({ used: 0, remaining: 100 });
  });

  test('without capacity nothing is included, unless a contract says so', async () => {
    expect((await read.quota(await setting(service, { capacityCu: 0 }))).json).toMatchObject({
      limit: 0,
      remaining: 0,
      activated: false,
    });
    expect(
      (await read.quota(await setting(service, { capacityCu: 0, contractualReads: 7 }))).json,
    ).toMatchObject({
      limit: 7,
      activated: false,
    });
    // The contract’s number is the number, even where the capacity would give more.
    expect(
      (await read.quota(await setting(service, { capacityCu: 10, contractualReads: 7 }))).json,
    ).toMatchObject({
      limit: 7,
      remaining: 7,
      activated: true,
    });
  });

  test('each read of an account that includes none says so, not that they were used, and names no month that would bring any', async () => {
    const place = await setting(service, { capacityCu: 10, contractualReads: 0 });
    const {
      memory: { id },
    } = await place.write('IDENTITY', 'Promesse', 'La lampe dure.');
    const answers = [
      await read.spaces(place),
      await read.space(place),
      await read.context(place),
      await read.memory(place, id),
      await read.search(place, '?q=lampe'),
    ];
    for (const { status, json, headers } of answers) {
      expect([status, json.error.code, json.error.detail]).toEqual([429, 'quota_exceeded', 'none-included']);
      expect(json.error.message).toBe(
        'Aucune lecture n’est comprise dans ce compte\u00a0: demandez-en à l’exploitant du service.',
      );
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await read.quota(place)).json).toMatchObject({ limit: 0, used: 0, remaining: 0 });
  });

  test('50 reads at once on a quota of 9: exactly 9 succeed, 41 answer quota_exceeded with the wait until the month turns', async () => {
    const place = await setting(service, { capacityCu: 0, contractualReads: 9 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => (i % 2 ? read.spaces(place) : read.context(place))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    for (const { status, json, headers } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, json.error.code]).toEqual([429, 'quota_exceeded']);
      expect(json.error.message).toMatch(/Il se renouvelle le 1er \p{L}+ \d{4} à 0\u00a0h UTC\.$/u);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await read.quota(place)).json).toMatchObject({ used: 9, remaining: 0 });
  });

  test('projects are listed oldest first, to a developer key that holds the scope, and to no application', async () => {
    const [place, stranger] = [await setting(service), await setting(service)];
    const at = new Date('2026-01-01T00:00:00Z');
    for (const [i, name] of ['Blog', 'Boutique'].entries())
      await service.db.project.create({
        data: {
          id: createId('project'),
          accountId: place.account.id,
          name,
          websiteUrl: 'https://exemple.fr',
          // Written after, and older.
          createdAt: new Date(at.getTime() - i),
          updatedAt: at,
        },
      });
    const project = (accountId: string) => ({
      id: createId('project'),
      accountId,
      name: 'Autre',
      websiteUrl: 'https://exemple.fr',
      createdAt: at,
      updatedAt: at,
    });
    await service.db.project.create({ data: project(stranger.account.id) });
    const { status, json } = await read.projects(place);
    expect(status).toBe(200);
    expect(projectListSchema.parse(json)).toEqual(json);
    expect(json.object).toBe('list');
    expect(json.data).toEqual(
      ['Boutique', 'Blog'].map((name, i) => ({
        id: expect.stringMatching(/^prj_/),
        object: 'project',
        name,
        websiteUrl: 'https://exemple.fr',
        createdAt: new Date(at.getTime() - 1 + i).toISOString(),
        updatedAt: at.toISOString(),
      })),
    );
    const narrow = await makeKey(service, place.member, { scopes: ['brain:read'] });
    expect(
      (await call(getProjects, { path: '/api/v1/projects', token: narrow.secret })).json.error.code,
    ).toBe('insufficient_scope');
    const { tokens } = await makeTokens(service, place.member, { resource: '/api/v1' });
    const application = await call(getProjects, { path: '/api/v1/projects', token: tokens.access_token });
    expect([application.status, application.json.error.code]).toEqual([403, 'insufficient_scope']);
    expect(application.text).not.toContain('Boutique');
    const asked = await call(getProjects, { path: '/api/v1/projects?limit=1', token: place.token });
    expect([asked.status, asked.json.error.code, asked.json.error.problems[0].field]).toEqual([
      400,
      'invalid_request',
      'limit',
    ]);
    // However many there are, no page of them: all.
    await service.db.project.createMany({
      data: Array.from({ length: 120 }, () => project(place.account.id)),
    });
    expect((await read.projects(place)).json.data).toHaveLength(122);
  });
});
