/** The platform does not let this instance start a child process. */
export class ChildRefused extends Error {
  override readonly name = 'ChildRefused';
}

// Set where the instance boots, read in the routes: they are bundled apart.
const shared = globalThis as { atelierReadsInProcess?: boolean };

/** At boot, outside production: allows media to be read in this process where child processes are refused. A hostile file may then end it. */
export function allowInProcessReading(): void {
  shared.atelierReadsInProcess = true;
}

/**
 * Runs `apart`, which starts a child process. Where the platform refuses that, runs `here` if `allowInProcessReading` was called. Errors:
 * those of both functions, `ChildRefused`.
 */
export async function childOrInProcess<T>(apart: () => Promise<T>, here: () => Promise<T>): Promise<T> {
  try {
    return await apart();
  } catch (error) {
    if (!(error instanceof ChildRefused) || !shared.atelierReadsInProcess) throw error;
    return here();
  }
}
