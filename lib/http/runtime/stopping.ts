// The file that boots and the routes are bundled apart: one controller for both.
const shared = globalThis as { atelierStopping?: AbortController };

function controller(): AbortController {
  shared.atelierStopping ??= new AbortController();
  return shared.atelierStopping;
}

/** Aborted once this instance is asked to stop. Next ends it when the requests under way, and what runs after them, have ended. */
export function stopping(): AbortSignal {
  return controller().signal;
}

/** At boot: SIGTERM and SIGINT are told to what can be given back. Ends nothing by itself. */
export function abortOnStop(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller().abort());
}
