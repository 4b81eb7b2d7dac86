/** What receives events: a whole handler, called by the test with a posting that is signed, and with one that is not. */
export const WEBHOOK_HANDLER = `import { AtelierWebhookError, verifyWebhook } from '@atelier/client';

export async function POST(request: Request): Promise<Response> {
  try {
    const secret = process.env.ATELIER_WEBHOOK_SECRET!;
    const event = await verifyWebhook(await request.text(), request.headers, secret);
    if (event.type === 'generation.closed') console.log(event.data.generationId, event.data.status);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof AtelierWebhookError)) throw error;
    return new Response(error.reason, { status: 401 });
  }
}`;

/** The same verification without the client, to be written in another language; held against the service's own signatures. */
export const WEBHOOK_BY_HAND = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isSigned(body: string, headers: Headers, secret: string): boolean {
  const id = headers.get('webhook-id') ?? '';
  const timestamp = headers.get('webhook-timestamp') ?? '';
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  return (headers.get('webhook-signature') ?? '').split(' ').some((entry) => {
    const given = Buffer.from(entry.startsWith('v1,') ? entry.slice(3) : '', 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
