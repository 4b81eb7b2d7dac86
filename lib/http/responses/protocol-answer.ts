import { messageInFrench } from '#lib/mcp/protocol/french-errors.ts';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Which of the protocol’s two forms of an answer a client takes. */
export type AcceptedForms = { json: boolean; stream: boolean };

/** What an `Accept` header takes; absent or empty, everything (RFC 9110, 12.5.1). A weight of 0 refuses. */
export function acceptedForms(accept: string | null): AcceptedForms {
  const ranges = (accept?.trim() || '*/*')
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';')[0]?.trim());
  const takes = (type: string, family: string) =>
    [type, family, '*/*'].some((range) => ranges.includes(range));
  return { json: takes(JSON_TYPE, 'application/*'), stream: takes(STREAM_TYPE, 'text/*') };
}

/** The `Accept` that the protocol’s own code wants of every client: both forms, for one that takes either. */
export const BOTH_FORMS = `${JSON_TYPE}, ${STREAM_TYPE}`;

/**
 * A successful answer in the form that its client takes: several take one alone, whatever the protocol says. As JSON, the answer comes without
 * what was told on the way to it; refusals are JSON in any case.
 */
export async function inAcceptedForm(answer: Response, { json, stream }: AcceptedForms): Promise<Response> {
  const type = answer.headers.get('content-type') ?? '';
  if (stream && !json && answer.ok && type.startsWith(JSON_TYPE))
    return reformed(answer, STREAM_TYPE, `event: message\ndata: ${await answer.text()}\n\n`);
  if (json && !stream && type.startsWith(STREAM_TYPE))
    return reformed(answer, JSON_TYPE, lastMessage(await answer.text()));
  return answer;
}

function reformed(answer: Response, type: string, body: string): Response {
  const headers = new Headers(answer.headers);
  headers.set('Content-Type', type);
  return new Response(body, { status: answer.status, headers });
}

/** A stream ends with the answer to its request. */
function lastMessage(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.at(-1)?.slice('data: '.length) ?? '';
}

/** The body of an answer of the protocol's own code, its errors in our words; a stream stays one. */
export async function bodyInFrench(answer: Response): Promise<BodyInit | null> {
  if (!answer.body) return null;
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith(JSON_TYPE)) return messageInFrench(await answer.text());
  if (!type.startsWith(STREAM_TYPE)) return answer.body;
  return answer.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(linesInFrench())
    .pipeThrough(new TextEncoderStream());
}

function linesInFrench(): TransformStream<string, string> {
  let rest = '';
  const written = (line: string) =>
    line.startsWith('data: ') ? `data: ${messageInFrench(line.slice('data: '.length))}` : line;
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) controller.enqueue(lines.map((line) => `${written(line)}\n`).join(''));
    },
    flush(controller) {
      if (rest) controller.enqueue(written(rest));
    },
  });
}
