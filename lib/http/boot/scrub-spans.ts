/** The fields of an ended span that are rewritten, whichever library made it. */
export type EndedSpan = {
  name: string;
  attributes: Record<string, unknown>;
  status?: { code: number; message?: string };
  events?: { name: string; attributes?: Record<string, unknown> }[];
};

/**
 * Removes from a framework span whatever is user input, a file name or a secret: queries of addresses, paths of stored files, share tokens,
 * everything after the host of an external address (a reference, a signed address), and error messages, which can quote values. Kept: methods,
 * routes, identifiers in paths, hosts, statuses, error types and frames.
 */
export function scrubSpan(span: EndedSpan): void {
  span.name = scrubText(span.name);
  for (const [key, value] of Object.entries(span.attributes)) {
    if (key === 'url.query') delete span.attributes[key];
    else if (typeof value === 'string') span.attributes[key] = scrubText(value);
  }
  if (span.status?.message !== undefined) span.status = { code: span.status.code };
  for (const { attributes } of span.events ?? []) {
    if (!attributes) continue;
    const { 'exception.message': message, 'exception.stacktrace': stack } = attributes;
    delete attributes['exception.message'];
    if (typeof stack === 'string')
      attributes['exception.stacktrace'] = framesOf(stack, String(message ?? ''));
  }
}

/** A text without queries, paths of stored files and tokens of shares, and with no more than the host of other addresses. */
function scrubText(text: string): string {
  return text
    .replace(
      /\bhttps?:\/\/([^\s/?#"'<>@]*@)?([^\s/?#"'<>]+)[^\s"'<>]*/gi,
      (_, _user, host: string) => `https://${host}`,
    )
    .replace(/(\/api\/files\/)[^\s?]+/g, '$1[...pathname]')
    .replace(/(\/partage\/)[^\s/?]+/g, '$1[token]')
    .replace(/(^|\s)(\/[^\s?]*)\?\S*/g, '$1$2');
}

/** A message has as many lines as what it quotes, and any of them may look like a frame. */
function framesOf(stack: string, message: string): string {
  const told = message === '' ? -1 : stack.indexOf(message);
  return stack
    .slice(told < 0 ? 0 : told + message.length)
    .split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .join('\n');
}

/** Scrubs every span as it ends, before those that export it see it; to be put first. */
export const spanScrubber = {
  onStart(): void {},
  onEnd(span: unknown): void {
    scrubSpan(span as EndedSpan);
  },
  forceFlush: async (): Promise<void> => {},
  shutdown: async (): Promise<void> => {},
};
