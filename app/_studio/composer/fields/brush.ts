/** A place on a picture, in its own pixels. */
export type Point = { x: number; y: number };

/** The picture itself, of a reference that shows its thumbnail: a mask is painted in the picture's own pixels. */
export const wholePicture = (shown: string): string => shown.replace(/\?thumbnail=1$/, '');

/** Paints a stroke: a disc at each end and what lies between. */
export function paint(mask: CanvasRenderingContext2D, from: Point, to: Point, radius: number): void {
  mask.lineCap = 'round';
  mask.lineWidth = radius * 2;
  // Seen over any picture; the file that is sent is white.
  mask.strokeStyle = '#e11d48';
  mask.beginPath();
  mask.moveTo(from.x, from.y);
  // A line of no length is not drawn everywhere.
  mask.lineTo(to.x + 0.01, to.y);
  mask.stroke();
}

/** The share of a mask that is painted, 0 to 1; looked at in a thumbnail of it. */
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

/** The mask as a file: white where it was painted, black everywhere else. */
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
