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
