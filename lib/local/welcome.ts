import type { DemoAccess } from './state.ts';

/** The last lines that `npm start` prints: where the cockpit is, how to sign in, and a command that works as it stands. */
export function welcome(input: { url: string; demo: DemoAccess | undefined; seconds: string }): string[] {
  const { url, demo, seconds } = input;
  const lines = ['', `Atelier is ready (${seconds} s)`, '', `  Cockpit   ${url}`];
  if (demo) {
    const key = `"Authorization: Bearer ${demo.apiKey}"`;
    lines.push(`  Sign in   ${demo.memberEmail}; the code that is sent is printed here`);
    lines.push('  API', `    curl -H ${key} ${url}/api/v1/spaces/${demo.spaceId}/context`);
  }
  return [...lines, '', '  Ctrl-C stops everything.', ''];
}
