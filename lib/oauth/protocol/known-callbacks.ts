type Known = { assistant: string; reviewed: string };

/**
 * Callbacks of assistants whose scheme is not a reverse domain name, letter for letter: a scheme alone also opens that
 * application's other actions (cloning a repository, installing a server). Reviewed by hand: an entry needs the vendor's own documentation or code, or several
 * independent servers that name the same address.
 */
const KNOWN_CALLBACKS: ReadonlyMap<string, Known> = new Map([
  ['cursor://anysphere.cursor-mcp/oauth/callback', { assistant: 'Cursor', reviewed: '2026-11-22' }],
  ['warp://mcp/oauth2callback', { assistant: 'Warp', reviewed: '2026-11-22' }],
  ['grokbot://mcp/oauth/callback', { assistant: 'Grok Bot', reviewed: '2026-11-22' }],
  ['claude://claude.ai/mcp-auth-callback/sdk', { assistant: 'Claude (bureau)', reviewed: '2026-11-26' }],
]);

/** Callbacks whose last path segment is a server name chosen by the assistant: one segment, which opens nothing else of the application. */
const KNOWN_CALLBACKS_BY_SERVER: ReadonlyMap<string, Known> = new Map([
  ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/', { assistant: 'Cline', reviewed: '2026-11-26' }],
  [
    'vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/',
    { assistant: 'Cline', reviewed: '2026-11-26' },
  ],
]);

/** Whether an address is a reviewed assistant's callback. */
export function isKnownCallback(text: string): boolean {
  if (KNOWN_CALLBACKS.has(text)) return true;
  const [, start = '', server = ''] = /^(.*\/)([^/]*)$/.exec(text) ?? [];
  return KNOWN_CALLBACKS_BY_SERVER.has(start) && /^[A-Za-z0-9_-]{1,100}$/.test(server);
}
