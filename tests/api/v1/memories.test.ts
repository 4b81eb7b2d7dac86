import { describe, expect, test } from 'vitest';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { memoryWithNeighboursSchema } from '#lib/brain/schemas/memories.ts';
import { testContext } from '#tests/factories/context.ts';
import { useApi } from '#tests/setup/api.ts';
import { read, setting } from './reads.ts';

const service = useApi({ poolMax: 30 });

describe('GET /memories/{id}', () => {
  test('one Memory whole, with what stands beside it, for one read; what is not the account’s, deleted or archived is not there and costs nothing', async () => {
    const [place, stranger] = [await setting(service), await setting(service)];
    const body = 'Une ligne.\r\n\u202eUne autre. '.repeat(3_000);
    const { memory: parent } = await place.write('ITEMS', 'Lampes', 'Toutes les lampes.');
    const { memory } = await place.write('ITEMS', 'Lampe Aube', body, parent.id);
    const { memory: first } = await place.write('ITEMS', 'Ampoule', 'E27.', memory.id);
    const { memory: gone } = await place.write('ITEMS', 'Abat-jour', 'Lin.', memory.id);
    await deleteMemory(testContext(service, place.actor), { memoryId: gone.id });
    const { status, json } = await read.memory(place, memory.id);
    expect(status).toBe(200);
    expect(memoryWithNeighboursSchema.parse(json)).toEqual(json);
    expect(json).toMatchObject({
      object: 'memory',
      id: memory.id,
      spaceId: place.space.id,
      pillar: 'ITEMS',
      parentId: parent.id,
      body,
      sourceRef: null,
      file: null,
      cu: 77,
      parent: { id: parent.id, title: 'Lampes' },
      children: [{ id: first.id, title: 'Ampoule' }],
    });
    const origin = {
      sourceRef: 'notice.pdf',
      file: { name: 'notice.pdf', contentType: 'application/pdf', bytes: 12 },
    };
    await service.db.memory.update({ where: { id: first.id }, data: origin });
    expect((await read.memory(place, first.id)).json).toMatchObject(origin);
    expect((await read.memory(place, parent.id)).json).toMatchObject({
      parent: null,
      children: [{ id: memory.id, title: 'Lampe Aube' }],
    });
    const { used } = (await read.quota(place)).json;
    expect(used).toBe(3);
    const missing = await read.memory(place, 'mem_x');
    const { memory: theirs } = await stranger.write('ITEMS', 'Secret', 'Rien.');
    for (const id of [theirs.id, gone.id, 'a'.repeat(300)]) {
      const answer = await read.memory(place, id);
      expect([answer.status, answer.json]).toEqual([404, missing.json]);
    }
    await service.db.space.update({ where: { id: place.space.id }, data: { archivedAt: new Date() } });
    expect((await read.memory(place, memory.id)).status).toBe(404);
    expect((await read.quota(place)).json.used).toBe(used);
  });
});
