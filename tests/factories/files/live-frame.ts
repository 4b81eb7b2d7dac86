/** What a video of 720p measures; recorded ones are small loops, which a live provider's request would be refused with (`differencesOf`). */
const WIDTH = 1_280;
const HEIGHT = 720;

/** Where the first description of samples says the frame, from the name of its codec on. */
const FRAME_AT = 28;

/** A recorded 16:9 clip whose head says 1280 × 720, which is where a clip's frame is measured; its packets stay. Throws for anything else. */
export function inLiveFrame(clip: Uint8Array): Buffer {
  const bytes = Buffer.from(clip);
  const at = bytes.indexOf('avc1', Math.max(0, bytes.indexOf('stsd'))) + FRAME_AT;
  if (at < FRAME_AT) throw new Error('no recorded clip: it has no description of AVC samples');
  const [width, height] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
  if (width === 0 || width * 9 !== height * 16) throw new Error(`not in 16:9: ${width} × ${height}`);
  bytes.writeUInt16BE(WIDTH, at);
  bytes.writeUInt16BE(HEIGHT, at + 2);
  return bytes;
}

/** What the gateway says of a job, whose finished videos have the frame that was paid for. */
export async function answerInLiveFrame(answer: Response): Promise<Response> {
  const told = (await answer.json()) as { videos?: { data?: string }[] };
  for (const video of told.videos ?? [])
    if (video.data !== undefined)
      video.data = inLiveFrame(Buffer.from(video.data, 'base64')).toString('base64');
  return new Response(JSON.stringify(told), { status: answer.status });
}
