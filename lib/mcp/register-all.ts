import type { McpServer } from '@modelcontextprotocol/server';
import { registerPrompts } from './prompts/register-prompts.ts';
import type { McpHost } from './protocol/host.ts';
import { registerTools } from './register-tools.ts';
import { registerResources } from './resources/register-resources.ts';

/** Registers tools, resources and prompts on the server of one request. */
export function registerAll(server: McpServer, host: McpHost): void {
  registerTools(server, host);
  registerResources(server, host);
  registerPrompts(server, host);
}
