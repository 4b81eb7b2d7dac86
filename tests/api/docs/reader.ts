import { createId } from '#lib/core/ids.ts';
import { sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { partPath } from '#lib/storage/offboarding/exports.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { populatedAccount } from '#tests/factories/populated-account.ts';
import { TEST_CONFIG } from '#tests/factories/studio.ts';
import { sessionCookie, type TestBlobStore } from '#tests/setup/storage/blob.ts';
import type { useStudioApi } from '#tests/setup/studio-api.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

/** Who tries the examples: the values that they suppose, for a shell and for a program. */
export type Reader = {
  shell: Record<string, string>;
  values: Record<string, unknown>;
  photo: Uint8Array;
  etag(): Promise<string>;
};

const VOICE_ID = 'Camille0Recorded0001';

/** A founder with something of every kind: a Space, an image, a render that failed, a voice, a file, an export. */
export async function readerOf(
  service: ReturnType<typeof useStudioApi>,
  blob: TestBlobStore,
  baseUrl: string,
): Promise<Reader> {
  const own = await populatedAccount(service, { marker: 'Lumen' });
  const first = (kind: string) => own.ids[kind]?.[0] as string;
  const { accountId } = own;
  const memberId = first('member');
  const ctx = testContext(service, own.actor);
  await giveCredit(ctx, memberId, 100_000_000n);
  service.ports({ config: { ...TEST_CONFIG, defaultVoiceId: VOICE_ID } });
  const cookie = await sessionCookie(service, { id: memberId, accountId });

  const ask = async (body: object, idempotencyKey: string) => {
    const headers = { cookie, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    const answer = await fetch(`${baseUrl}/api/generations`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const row = (await answer.json()) as { id?: string };
    if (!row.id) throw new Error(`no generation: ${answer.status} ${JSON.stringify(row)}`);
    return row.id;
  };
  const generationId = await ask({ kind: 'image', brief: 'Une bougie sur une table' }, 'own-image');
  const speechId = await ask({ kind: 'voice', text: 'Bonjour à tous.', voiceId: VOICE_ID }, 'own-voice');
  const quote = { quote: 'La lumière se fabrique lentement.', author: 'Agnès' };
  const render = { kind: 'render', template: 'quote-card', size: '1080x1080', fields: quote };
  const renderId = await ask(render, 'own-render');
  await failRender(service, baseUrl, renderId);

  const filePath = 'generations/gen_lecteur/image-1.png';
  const stored = await blob.store.put(filePath, PIXEL, { contentType: 'image/png' });
  const at = { createdAt: new Date(), updatedAt: new Date() };
  const fileId = createId('asset');
  await service.db.asset.create({
    data: {
      id: fileId,
      accountId,
      memberId,
      productId: 'libre',
      type: 'IMAGE',
      contentType: 'image/png',
      pathname: filePath,
      bytes: BigInt(PIXEL.length),
      etag: stored.etag,
      ...at,
    },
  });
  const exportId = first('accountExport');
  await blob.store.put(partPath(accountId, exportId, 0), Buffer.from('zip'), {
    contentType: 'application/octet-stream',
  });
  const etag = async () => {
    const headers = { authorization: `Bearer ${own.keySecret}` };
    const space = await fetch(`${baseUrl}/api/v1/spaces/${first('space')}`, { headers });
    return space.headers.get('etag') ?? '';
  };
  const shell = {
    ATELIER_URL: baseUrl,
    ATELIER_KEY: own.keySecret,
    ATELIER_SESSION: cookie.startsWith(sessionCookieName(false)) ? cookie : '',
    SPACE_ID: first('space'),
    MEMORY_ID: first('memory'),
    GENERATION_ID: generationId,
    RENDER_ID: renderId,
    SPEECH_ID: speechId,
    VOICE_ID,
    FILE_ID: fileId,
    FILE_PATH: filePath,
    UPLOAD_PATH: `${referenceFolder(accountId, 'libre')}clip.mp4`,
    EXPORT_ID: exportId,
  };
  const values = Object.fromEntries(
    Object.entries(shell).map(([name, value]) => [
      name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
  return { shell, values: { ...values, photo: PIXEL }, photo: PIXEL, etag };
}

/** A render that its runner says has failed: the state that a relaunch starts from. */
async function failRender(service: ReturnType<typeof useStudioApi>, baseUrl: string, generationId: string) {
  const { params } = await service.db.generation.findUniqueOrThrow({ where: { id: generationId } });
  const { workflowRunId: runId } = params as { workflowRunId?: string };
  const body = JSON.stringify({ generationId, runId, status: 'failure', files: [], durationMs: 1_000 });
  const secret = process.env.CALLBACK_SECRET ?? '';
  const signed = signCallback(body, { id: 'msg_1', secret, sentAt: new Date() });
  const headers = { 'content-type': 'application/json', ...signed };
  const told = await fetch(`${baseUrl}/api/webhooks/render`, { method: 'POST', body, headers });
  if (!told.ok) throw new Error(`the render did not fail: ${told.status} ${await told.text()}`);
}
