import { ELEVENLABS_REFUSALS } from '../elevenlabs/recorded-rules.ts';
import type { RefusalRule } from '../fixtures/refusal-rule.ts';
import { PROTOCOL_REFUSALS } from '../gateway/recorded-protocol-rules.ts';
import { GATEWAY_REFUSALS } from '../gateway/recorded-rules.ts';
import { GITHUB_REFUSALS } from '../github/recorded-rules.ts';
import { LIPSYNC_REFUSALS } from '../lipsync/recorded-rules.ts';

/** Every refusal that the recorded services enforce, in the order of docs/providers.md. */
export const REFUSALS: readonly Omit<RefusalRule<never>, 'refuses'>[] = [
  ...PROTOCOL_REFUSALS,
  ...GATEWAY_REFUSALS,
  ...ELEVENLABS_REFUSALS,
  ...LIPSYNC_REFUSALS,
  ...GITHUB_REFUSALS,
];

/** The table as Markdown, for docs/providers.md. */
export function refusalsTable(): string {
  const lines = ['| Rule | Route, models | Answer | Source |', '|---|---|---|---|'];
  for (const { id, route, models, status, says, source } of REFUSALS)
    lines.push(
      `| \`${id}\` | ${route === '' ? 'whatever the route' : `\`${route}\``}<br>${models.join(', ') || 'any'} | ${status}: ${says} | ${source} |`,
    );
  return lines.join('\n');
}
