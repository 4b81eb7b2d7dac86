import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { GET as health } from '#app/api/health/route.ts';
import { GET as ready } from '#app/api/ready/route.ts';
import { connect } from '#lib/db/connection.ts';
import { type HealthPorts, healthOf } from '#lib/http/runtime/health.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';

const service = useApi();
const blob = useBlobStore();

const lookedAt = (changes: Partial<HealthPorts> = {}) =>
  healthOf({ kysely: service.kysely, store: blob.store, nowMs: () => 0, ...changes });

async function answerOf(route: Parameters<typeof call>[0]) {
  const { status, json, headers } = await call(route, { path: '/api/health' });
  return { status, body: json, cache: headers.get('cache-control') };
}

describe('the state of an instance', () => {
  it('is told to anyone in words and nothing else: no address, no name, no secret', async () => {
    expect(await answerOf(health)).toEqual({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', migrations: 'ok', store: 'ok' } },
      cache: 'private, no-store',
    });
    expect(await answerOf(ready)).toEqual({
      status: 200,
      body: { status: 'ready' },
      cache: 'private, no-store',
    });
  });

  it('says that migrations are pending when the database lacks one of this build, and nothing of those that a newer version added', async () => {
    const client = new pg.Client({ connectionString: service.ownerUrl });
    await client.connect();
    try {
      await client.query(`update "_prisma_migrations" set migration_name = migration_name || '_newer'
        where migration_name = (select max(migration_name) from "_prisma_migrations")`);
      expect(await lookedAt().all()).toEqual({ database: 'ok', migrations: 'pending', store: 'ok' });
      await client.query(`insert into "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
        select gen_random_uuid(), checksum, replace(migration_name, '_newer', ''), finished_at, 1
        from "_prisma_migrations" where migration_name like '%\\_newer'`);
      expect(await lookedAt().all()).toEqual({ database: 'ok', migrations: 'ok', store: 'ok' });
      await client.query('alter table "_prisma_migrations" rename to "elsewhere"');
      expect(await lookedAt().database()).toEqual({ database: 'ok', migrations: 'pending' });
      await client.query('alter table "elsewhere" rename to "_prisma_migrations"');
    } finally {
      await client.end();
    }
  });

  it('names what does not answer, each by itself', async () => {
    const gone = connect({ url: 'postgresql://nobody@127.0.0.1:9/none', poolMax: 1 });
    expect(await lookedAt({ kysely: gone.kysely }).all()).toEqual({
      database: 'failing',
      migrations: 'unknown',
      store: 'ok',
    });
    await gone.close();
    const silent = { list: () => Promise.reject(new Error('the store is away')) };
    expect(await lookedAt({ store: silent }).all()).toEqual({
      database: 'ok',
      migrations: 'ok',
      store: 'failing',
    });
    expect((await lookedAt({ store: null }).all()).store).toBe('absent');
    const unconfigured: HealthPorts = {
      kysely: service.kysely,
      get store(): never {
        throw new Error('the configuration names no store that can be');
      },
      nowMs: () => 0,
    };
    expect((await healthOf(unconfigured).all()).store).toBe('failing');
  });

  it('says that strangers can read the store, also when the first look at that did not come back', async () => {
    let nowMs = 1;
    let looks = 0;
    const isPublic = async () => {
      looks += 1;
      if (looks === 1) throw new Error('the store did not say');
      return true;
    };
    const state = lookedAt({ isPublic, nowMs: () => nowMs });
    expect((await state.all()).store).toBe('ok');
    nowMs = 60_000;
    expect((await state.all()).store).toBe('public');
    nowMs = 120_000;
    expect([(await state.all()).store, looks]).toEqual(['public', 2]);
  });

  it('is looked at once for everybody who asks, and again when what was found is old', async () => {
    let nowMs = 0;
    let listed = 0;
    const store = {
      list: async () => {
        listed += 1;
        return { files: [] };
      },
    };
    const state = lookedAt({ store, nowMs: () => nowMs });
    const before = service.connection.roundTrips();
    await Promise.all(Array.from({ length: 50 }, () => state.all()));
    await state.all();
    expect([listed, service.connection.roundTrips() - before]).toEqual([1, 1]);
    nowMs = 60_000;
    await state.all();
    expect([listed, service.connection.roundTrips() - before]).toEqual([2, 2]);
  });
});
