import { messageInFrench } from '#lib/mcp/protocol/french-errors.ts';

/** The body of an answer of the protocol's own code, its errors in our words; a stream stays one. */
export async function bodyInFrench(answer: Response): Promise<BodyInit | null> {
  if (!answer.body) return null;
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return messageInFrench(await answer.text());
  if (!type.startsWith('text/event-stream')) return answer.body;
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
