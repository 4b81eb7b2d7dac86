import type { McpServer } from '@modelcontextprotocol/server';
import { registerPrompts } from './prompts/register-prompts.ts';
import type { McpHost } from './protocol/host.ts';
import { registerTools } from './register-tools.ts';
import { registerResources } from './resources/register-resources.ts';

/** Puts all that the service offers to assistants on the server of one request. */
export function registerAll(server: McpServer, host: McpHost): void {
  registerTools(server, host);
  registerResources(server, host);
  registerPrompts(server, host);
}
