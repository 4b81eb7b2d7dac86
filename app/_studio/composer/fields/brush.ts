/** A point of a picture, in the picture's pixels. */
export type Point = { x: number; y: number };

/** The address of the whole picture, from that of its thumbnail: a mask is painted in the picture's own pixels. */
export const wholePicture = (shown: string): string => shown.replace(/\?thumbnail=1$/, '');

/** Paints a line with round ends; `radius` in pixels. */
export function paint(mask: CanvasRenderingContext2D, from: Point, to: Point, radius: number): void {
  mask.lineCap = 'round';
  mask.lineWidth = radius * 2;
  // A colour that shows on any picture; the mask that is sent is white.
  mask.strokeStyle = '#e11d48';
  mask.beginPath();
  mask.moveTo(from.x, from.y);
  // Some browsers do not draw a line of zero length.
  mask.lineTo(to.x + 0.01, to.y);
  mask.stroke();
}

/** The share of a mask that is painted, 0 to 1, measured on a reduced copy. */
export function paintedShare(mask: HTMLCanvasElement): number {
  const side = 128;
  const small = document.createElement('canvas');
  small.width = side;
  small.height = side;
  const context = small.getContext('2d');
  if (!context) return 0;
  context.drawImage(mask, 0, 0, side, side);
  const { data } = context.getImageData(0, 0, side, side);
  let painted = 0;
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 127) painted += 1;
  return painted / (side * side);
}

/** The mask as a PNG file: white where it was painted, black elsewhere. Throws if the browser cannot create it. */
export async function maskFile(mask: HTMLCanvasElement): Promise<File> {
  const white = layer(mask);
  white.drawImage(mask, 0, 0);
  white.globalCompositeOperation = 'source-in';
  white.fillStyle = '#fff';
  white.fillRect(0, 0, mask.width, mask.height);
  const flat = layer(mask);
  flat.fillRect(0, 0, mask.width, mask.height);
  flat.drawImage(white.canvas, 0, 0);
  const blob = await new Promise<Blob | null>((done) => flat.canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('no picture');
  return new File([blob], 'masque.png', { type: 'image/png' });
}

function layer({ width, height }: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  if (!context) throw new Error('no canvas');
  return context;
}
