import { bufferOf, type Carrier, splice } from './carrier.ts';

/** A drawing is small: nothing larger is looked at. */
const MAX_BYTES = 1_048_576;
const OPEN = '<metadata>';
const CLOSE = '</metadata>';

/**
 * A drawing: XMP in a `metadata` element, first in its root (SVG 2, « metadata »); a manifest in it (`c2pa:manifest`, C2PA 2.x, « Embedding
 * manifests into SVG ») is known by its element. Null when no root's opening tag is found at the beginning.
 */
export function svgCarrier(bytes: Uint8Array): Carrier | null {
  if (bytes.byteLength > MAX_BYTES) return null;
  const text = bufferOf(bytes).toString('latin1');
  const inside = endOfRoot(text);
  if (inside < 0) return null;
  const start = text.indexOf(OPEN, inside);
  const close = start < 0 ? -1 : text.indexOf(CLOSE, start);
  const has = close >= 0;
  return {
    manifest: text.includes('<c2pa:manifest'),
    xmp: has ? bytes.subarray(start + OPEN.length, close) : null,
    withXmp(packet) {
      const body = Buffer.from(`${OPEN}${bare(packet)}${CLOSE}`);
      const place = has ? { start, end: close + CLOSE.length } : { start: inside, end: inside };
      return splice(bytes, place, body);
    },
  };
}

/** What is inside a packet's wrapper: a processing instruction has no place in a drawing. */
const bare = (packet: Uint8Array) =>
  bufferOf(packet)
    .toString()
    .replace(/<\?xpacket[^>]*\?>/g, '');

/** A drawing as its author wrote it, without the mark that was put in it. */
export function withoutMark(drawing: string): string {
  const start = endOfRoot(drawing);
  if (start < 0 || !drawing.startsWith(`${OPEN}<x:xmpmeta`, start)) return drawing;
  const close = drawing.indexOf(CLOSE, start);
  return close < 0 ? drawing : drawing.slice(0, start) + drawing.slice(close + CLOSE.length);
}

/** Where the root's opening tag ends; -1 when there is none, or nothing can stand in it. */
function endOfRoot(text: string): number {
  const head = /^\uFEFF?(?:ï»¿)?(?:\s|<\?xml[^>]*\?>|<!--(?:(?!-->)[^<>])*-->)*<svg(?=[\s>])/.exec(text);
  if (!head) return -1;
  let quote = '';
  for (let at = head[0].length; at < text.length; at += 1) {
    const letter = text[at]!;
    if (quote) quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '>') return text[at - 1] === '/' ? -1 : at + 1;
    else if (letter === '<') return -1;
  }
  return -1;
}
