/** A text on one line: what somebody typed adds none to a message. */
export const line = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A name in French quotation marks, on one line. */
export const quoted = (text: string) => `«\u00a0${line(text)}\u00a0»`;
