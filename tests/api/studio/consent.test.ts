import { describe, expect, it } from 'vitest';
import * as journal from '#app/api/generations/route.ts';
import { createId } from '#lib/core/ids.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';

const service = useStudioApi();
type Member = Awaited<ReturnType<typeof signedIn>>;
type Change = { contentType?: string; kind?: 'DOCUMENT'; productId?: string; deletedAt?: Date };

const post = (member: Member, body: unknown) => member.call(journal.POST, { path: '/api/generations', body });

/** A scan that a member uploaded, as its row says. */
function scan({ account, member }: Member, change: Change = {}) {
  const id = createId('upload');
  const now = new Date();
  return service.db.upload.create({
    data: {
      id,
      accountId: account.id,
      memberId: member.id,
      productId: 'libre',
      kind: 'IMAGE',
      pathname: `references/libre/${account.id}/${id}.png`,
      contentType: 'image/png',
      bytes: 1_000n,
      via: 'server',
      createdAt: now,
      touchedAt: now,
      ...change,
    },
  });
}

describe('the signed consent of a voice', () => {
  it.each([
    ['a picture', {}],
    ['a PDF', { contentType: 'application/pdf', kind: 'DOCUMENT' as const }],
  ])(
    'a voice whose origin is not known is said with a signed consent, %s, which is kept',
    async (_, change) => {
      const member = await signedIn(service);
      const document = await scan(member, change);
      const consent = { personName: 'Ada Martin', signedAt: '2026-01-05', document: document.id };
      const said = { kind: 'voice', text: 'Bonjour', voiceId: 'Paul0000Recorded0006' };
      expect((await post(member, said)).json.error.code).toBe('voice-unverified');
      const attached = await post(member, { ...said, consent });
      expect(attached.status).toBe(201);
      const row = await service.db.generation.findUniqueOrThrow({
        where: { id: attached.json.id },
        include: { consent: true },
      });
      expect(row.consent).toMatchObject({
        personName: 'Ada Martin',
        voiceId: said.voiceId,
        pathname: document.pathname,
      });
    },
  );

  it('400 consent.document: absent, unknown, another account’s, a generation’s file, no picture, another product’s', async () => {
    const member = await signedIn(service);
    const made = await post(member, { kind: 'image', brief: 'Une bougie' });
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: made.json.id } });
    const refused: [string, string | undefined][] = [
      ['absent', undefined],
      ['empty', ''],
      ['unknown', createId('upload')],
      ['another account’s', (await scan(await signedIn(service))).id],
      ['a generation’s file', asset.id],
      ['a sound', (await scan(member, { contentType: 'audio/mpeg' })).id],
      ['a GIF', (await scan(member, { contentType: 'image/gif' })).id],
      ['another product’s', (await scan(member, { productId: 'ancien' })).id],
      ['deleted', (await scan(member, { deletedAt: new Date() })).id],
    ];
    for (const [name, document] of refused) {
      const consent = { personName: 'Ada Martin', signedAt: '2026-01-05', document };
      const { status, json } = await post(member, {
        kind: 'voice',
        text: 'Bonjour',
        voiceId: 'Paul0000Recorded0006',
        consent,
      });
      expect(status, name).toBe(400);
      expect(json.error, name).toMatchObject({
        code: 'invalid',
        problems: [{ field: 'consent.document', message: expect.stringMatching(/ocument|consentement/) }],
      });
    }
    expect(await service.db.consent.count({ where: { accountId: member.account.id } })).toBe(0);
    expect(await service.db.generation.count({ where: { accountId: member.account.id } })).toBe(1);
  });

  it.each(['0000-02-01', '2026-02-31', '31/02/2026', ''])(
    '400 consent.signedAt: %j is no day that a consent can be signed on, and nothing is written',
    async (signedAt) => {
      const member = await signedIn(service);
      const consent = { personName: 'Ada Martin', signedAt, document: (await scan(member)).id };
      const said = { kind: 'voice', text: 'Bonjour', voiceId: 'Paul0000Recorded0006', consent };
      const { status, json } = await post(member, said);
      expect([status, json.error.problems]).toMatchObject([400, [{ field: 'consent.signedAt' }]]);
      expect(await service.db.generation.count({ where: { accountId: member.account.id } })).toBe(0);
    },
  );
});
