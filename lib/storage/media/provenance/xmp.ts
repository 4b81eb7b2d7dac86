import { bufferOf } from './carrier.ts';

/** The two words of the IPTC's vocabulary for what a model made, and for what it made a part of. */
const DIGITAL_SOURCES = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;
export type DigitalSource = (typeof DIGITAL_SOURCES)[number];

const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

const description = (source: DigitalSource) =>
  `<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"` +
  ` Iptc4xmpExt:DigitalSourceType="${VOCABULARY}${source}"/>`;

/** A packet that says nothing else. */
export function xmpPacket(source: DigitalSource): Uint8Array {
  return Buffer.from(
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      `${description(source)}</rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
  );
}

/** True when the bytes name one of those two words, in a packet or in a manifest's assertions. */
export function namesModel(bytes: Uint8Array): boolean {
  const text = bufferOf(bytes);
  return DIGITAL_SOURCES.some((source) => text.includes(VOCABULARY + source, 0, 'latin1'));
}

/** True when a packet says that a model made the file, or a part of it. */
export function saysMadeByModel(packet: Uint8Array): boolean {
  return bufferOf(packet).includes('DigitalSourceType', 0, 'latin1') && namesModel(packet);
}

const END = '</rdf:RDF>';

/** The packet with one statement more; null when it is written in a way that is not read here, or says another origin. */
export function withSource(packet: Uint8Array, source: DigitalSource): Uint8Array | null {
  const bytes = bufferOf(packet);
  const at = bytes.lastIndexOf(END, undefined, 'latin1');
  if (at < 0 || bytes.includes('DigitalSourceType', 0, 'latin1')) return null;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(description(source)), bytes.subarray(at)]);
}
