/** The platform lets this instance start no program. */
export class ChildRefused extends Error {
  override readonly name = 'ChildRefused';
}

// Set where the instance boots, read in the routes: they are bundled apart.
const shared = globalThis as { atelierReadsInProcess?: boolean };

/** At boot, outside production: where no program can be started, media are read in this process, which a hostile file may end. */
export function allowInProcessReading(): void {
  shared.atelierReadsInProcess = true;
}

/** `apart`, or `here` where the platform refuses programs and this instance serves recorded answers, not customers. Errors: those of both, `ChildRefused`. */
export async function childOrInProcess<T>(apart: () => Promise<T>, here: () => Promise<T>): Promise<T> {
  try {
    return await apart();
  } catch (error) {
    if (!(error instanceof ChildRefused) || !shared.atelierReadsInProcess) throw error;
    return here();
  }
}
