import { healthAnswer } from '#lib/http/runtime/health.ts';

export const dynamic = 'force-dynamic';

export function GET(): Promise<Response> {
  return healthAnswer();
}
