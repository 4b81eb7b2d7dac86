/** Between `instrumentation-client.ts`, which hears the router set out, and the frame of the cockpit, which shows what is on its way. */
export const leaving: { tell: ((path: string) => void) | null } = { tell: null };
