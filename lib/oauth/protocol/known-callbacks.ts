/**
 * Callbacks of assistants whose scheme is not a reverse domain name, letter for letter: a scheme alone also opens that
 * application's other actions (cloning a repository, installing a server). Reviewed by hand: an entry needs the vendor's own documentation or code, or several
 * independent servers that name the same address.
 */
export const KNOWN_CALLBACKS: ReadonlyMap<string, { assistant: string; reviewed: string }> = new Map([
  ['cursor://anysphere.cursor-mcp/oauth/callback', { assistant: 'Cursor', reviewed: '2026-11-22' }],
  ['warp://mcp/oauth2callback', { assistant: 'Warp', reviewed: '2026-11-22' }],
  ['grokbot://mcp/oauth/callback', { assistant: 'Grok Bot', reviewed: '2026-11-22' }],
]);
